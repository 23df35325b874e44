const xhr = new XMLHttpRequest();
xhr.open('GET', '/offers', true);
xhr.onload = () => console.log(xhr.responseText);
xhr.send();
