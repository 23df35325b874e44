setTimeout('refresh()', 100);
