SwaggerUIBundle({
  url: '/v3/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  // The default asks a server of others whether the document is valid.
  validatorUrl: null,
});
