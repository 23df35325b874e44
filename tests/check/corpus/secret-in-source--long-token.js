const token = 'eyJhbGciOiJIUzI1NiJ9X3Vq8Zt0PwL4mKcR7sBn';
console.log(token);
