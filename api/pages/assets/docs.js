Scalar.createApiReference('#docs', {
  url: '/v3/openapi.json',
  // The defaults below load fonts, report usage, or offer services of other hosts; the Content-Security-Policy blocks
  // them.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  proxyUrl: '',
  hideClientButton: true,
  documentDownloadType: 'none',
  persistAuth: false,
  // Schemas repeat what each operation shows.
  hideModels: true,
  operationTitleSource: 'summary',
  defaultOpenFirstTag: false,
});
