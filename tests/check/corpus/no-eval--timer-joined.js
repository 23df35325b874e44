const name = 'refresh';
window.setInterval(name + '()', 100);
