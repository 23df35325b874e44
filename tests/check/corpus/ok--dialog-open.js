const db = indexedDB.open('a', 1);
caches.open('v1').then((c) => c.match('/x'));
window.open('/help', '_blank', false);
