const stripe = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
console.log(stripe);
