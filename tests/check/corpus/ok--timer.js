const refresh = () => 1;
setTimeout(refresh, 100);
setInterval(function () { refresh(); }, 1000);
