/** The API reference and the OpenAPI and AsyncAPI documents. The pages load all files from this server. */
import { fileURLToPath } from 'node:url';
import { config } from '#shared/config.ts';
import { generateOpenapi } from '../http/docs/openapi.ts';
import { generateAsyncapi } from '../realtime/asyncapi/document.ts';
import { endpoints } from '../resources.ts';
import { introduction } from './api-introduction.ts';
import { eventsReference } from './events-page.ts';
import { assetPage, ownAssetPage, type Page, toJson } from './page.ts';
import { pageHead } from './page-head.ts';

/** The bundle of the API reference viewer, in the `browser` folder next to the main module of the viewer's package. */
const viewerBundle = fileURLToPath(new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')));

const pageHtml = (
  title: string,
  main: string,
  extras = '',
): string => `${pageHead({ title: `${title} · Support chat`, styles: ['/docs/assets/docs.css', '/docs/assets/events.css'] })}
<body>
  <header><a href="/">Support chat</a> <a href="/docs">REST API</a> <a class="title" href="/docs/events">Events and sockets</a>
    <a class="file" href="/v3/openapi.json">openapi.json</a> <a class="file" href="/v3/asyncapi.json">asyncapi.json</a></header>
  ${main}
  ${extras}
</body>
</html>
`;

const DOCS_HTML = pageHtml(
  'API reference',
  '<main id="docs"></main>',
  '<script src="/docs/assets/api-reference.js"></script>\n  <script src="/docs/assets/docs.js"></script>',
);

const createEventsHtml = (): string =>
  pageHtml(
    'Events and sockets',
    `<main id="events"><h1>Events and sockets</h1>${eventsReference(generateAsyncapi(serverUrl))}</main>`,
  );

let eventsHtml: string | undefined;
let openapiJson: string | undefined;
let asyncapiJson: string | undefined;
const serverUrl = config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`;

const createOpenapiJson = (): string => toJson(generateOpenapi(endpoints, config.PUBLIC_URL ?? '/', introduction));

/** The references at `/docs` and `/docs/events`, their scripts and styles, and the two documents. */
export const docsPages: Page[] = [
  { path: '/docs', type: 'text/html', hasInlineStyles: true, render: () => ({ body: DOCS_HTML }) },
  assetPage('/docs/assets/api-reference.js', viewerBundle),
  ownAssetPage('/docs/assets/docs.js', 'docs.js'),
  ownAssetPage('/docs/assets/docs.css', 'docs.css'),
  ownAssetPage('/docs/assets/events.css', 'events.css'),
  { path: '/docs/events', type: 'text/html', render: () => ({ body: (eventsHtml ??= createEventsHtml()) }) },
  {
    path: '/v3/openapi.json',
    type: 'json',
    render: () => ({ body: (openapiJson ??= createOpenapiJson()) }),
  },
  {
    path: '/v3/asyncapi.json',
    type: 'json',
    render: () => ({ body: (asyncapiJson ??= toJson(generateAsyncapi(serverUrl))) }),
  },
];
