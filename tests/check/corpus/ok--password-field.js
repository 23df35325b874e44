const field = { name: "password", type: "password", placeholder: "Your password" };
const passwordLabel = "Enter your password"; 
