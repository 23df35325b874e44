const file = { write: (text) => text };
file.write('x');
