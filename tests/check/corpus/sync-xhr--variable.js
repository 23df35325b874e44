const wait = true;
const r = new XMLHttpRequest();
r.open('POST', '/offers', !wait);
r.send();
