const d = window.document;
d['write']('<p>x</p>');
