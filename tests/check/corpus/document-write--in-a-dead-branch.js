if (false) document.write('x');
