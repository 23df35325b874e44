function load(url) {
  var x = new XMLHttpRequest();
  x.open('POST', url, !1);
  x.send(null);
  return x.responseText;
}
