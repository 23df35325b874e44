// {{ svc_language }} is what the service puts here
const language = "{{svc_language}}";
