const run = window['eval'];
(0, run)('x');
