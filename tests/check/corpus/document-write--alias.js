const write = document.write.bind(document);
write('<p>x</p>');
