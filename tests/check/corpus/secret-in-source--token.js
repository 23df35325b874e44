const apiToken = '9f2c7a1be04d4c58a6e13f7720cb55d1';
fetch('/api/websites/?apiToken=' + apiToken);
