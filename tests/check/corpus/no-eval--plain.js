const answer = eval('1 + 1');
console.log(answer);
