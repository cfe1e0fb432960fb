Scalar.createApiReference('#docs', {
  url: '/v3/openapi.json',
  // By default these options load fonts, report usage, or offer services of other hosts, which the
  // Content-Security-Policy blocks.
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  proxyUrl: '',
  hideClientButton: true,
  documentDownloadType: 'none',
  persistAuth: false,
  // The section of schemas is hidden: each operation already shows its own.
  hideModels: true,
  operationTitleSource: 'summary',
  defaultOpenFirstTag: false,
});
