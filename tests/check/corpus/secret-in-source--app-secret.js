const config = { app_secret: 'correct-horse-battery' };
console.log(config);
