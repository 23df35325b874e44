const add = new Function('a', 'b', 'return a + b');
add(1, 2);
