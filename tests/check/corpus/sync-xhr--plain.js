var xhr = new XMLHttpRequest();
xhr.open('GET', '/offers', false);
xhr.send();
