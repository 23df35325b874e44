Function('return 1')();
