const data = JSON.parse('{{svc_app_data}}');
console.log(data);
