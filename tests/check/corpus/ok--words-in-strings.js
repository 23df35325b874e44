const text = 'eval(x); document.write(y); new Function()';
console.log(text); // eval('x')
