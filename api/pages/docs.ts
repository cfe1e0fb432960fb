/** The API's description for people, with Swagger UI served by us; it phones nobody. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { config } from '#shared/config.ts';
import { asyncapi } from '../http/asyncapi.ts';
import { openapi } from '../http/openapi.ts';
import { aboutStatuses } from '../requests/statuses.ts';
import { endpoints } from '../resources.ts';
import { asset, json, ownAsset, type Page } from './page.ts';

const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>API · Support chat</title>
  <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  <link rel="stylesheet" href="/docs/assets/docs.css">
</head>
<body>
  <header><a href="/">Support chat</a> <span class="title">REST API</span> <a class="file" href="/v3/openapi.json">openapi.json</a>
    <a class="file" href="/v3/asyncapi.json">asyncapi.json</a></header>
  <main id="docs"></main>
  <script src="/docs/assets/swagger-ui-bundle.js"></script>
  <script src="/docs/assets/docs.js"></script>
</body>
</html>
`;

let description: string | undefined;
let happenings: string | undefined;
const address = config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`;

/** The page, its files, and the document it shows. */
export const docs: Page[] = [
  { path: '/docs', type: 'text/html', render: () => ({ body: PAGE }) },
  ...['swagger-ui.css', 'swagger-ui-bundle.js'].map((name) => asset(`/docs/assets/${name}`, join(swagger, name))),
  ownAsset('/docs/assets/docs.js', 'docs.js'),
  ownAsset('/docs/assets/docs.css', 'docs.css'),
  {
    path: '/v3/openapi.json',
    type: 'json',
    render: () => ({ body: (description ??= json(openapi(endpoints, config.PUBLIC_URL ?? '/', aboutStatuses))) }),
  },
  {
    path: '/v3/asyncapi.json',
    type: 'json',
    render: () => ({ body: (happenings ??= json(asyncapi(address))) }),
  },
];
