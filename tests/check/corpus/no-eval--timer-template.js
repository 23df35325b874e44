const id = location.hash;
setTimeout(`show('${id}')`, 10);
