window.open('/offers', '_blank', 'noopener');
indexedDB.open('offers', 1);
