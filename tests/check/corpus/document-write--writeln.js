function show() { document.writeln('x'); }
show();
