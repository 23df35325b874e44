var ASYNC = false;
var req = new window.XMLHttpRequest();
req.open.apply(req, ['GET', '/x', ASYNC]);
