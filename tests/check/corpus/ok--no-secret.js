const api_key_label = document.title;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const css = 'svc-content-after-price-updated-and-more-words';
console.log(api_key_label, alphabet, css);
