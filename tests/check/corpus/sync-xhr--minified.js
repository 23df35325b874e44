var r=new XMLHttpRequest;r.open('GET','/x',!1),r.send();
