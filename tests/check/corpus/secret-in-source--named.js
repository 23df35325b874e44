var apiKey = 'k3yk3yk3yk3yk3y';
console.log(apiKey);
