Scalar.createApiReference('#docs', {
  url: '/v3/openapi.json',
  // The defaults of these options load fonts, report usage, or offer services from other hosts. The
  // Content-Security-Policy blocks such hosts.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  proxyUrl: '',
  hideClientButton: true,
  documentDownloadType: 'none',
  persistAuth: false,
  // The section of schemas is hidden, because each operation already shows its schemas.
  hideModels: true,
  operationTitleSource: 'summary',
  defaultOpenFirstTag: false,
});
