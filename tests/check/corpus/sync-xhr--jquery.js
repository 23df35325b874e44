$.ajax({ url: '/offers', async: false });
