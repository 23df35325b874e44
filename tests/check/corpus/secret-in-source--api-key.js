const KEY = 'SVC-0a1b2c3d4e5f60718293a4b5c6d7e8f9';
fetch('/x', { headers: { Authorization: 'ApiKey ' + KEY } });
