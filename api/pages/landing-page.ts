/** The landing page: state of the installation and links. */
import { ownAssetPage, type Page } from './page.ts';

const LINK_TEXTS = [
  ['/demo', 'Demo', 'A visitor and the team in one conversation'],
  ['/docs', 'API documentation', 'Reference of every endpoint'],
  ['/v3/openapi.json', 'OpenAPI 3.1', 'The API description for tools'],
  ['/v3/asyncapi.json', 'AsyncAPI 3', 'All events with their payloads'],
  ['/admin/queues', 'Queues', 'For instance administrators'],
  ['/metrics', 'Metrics', 'For instance administrators and Prometheus'],
] as const;

const PART_NAMES = [
  ['mongodb', 'Database'],
  ['redis', 'Redis'],
  ['queues', 'Queues'],
  ['vectors', 'Search index'],
  ['embedding', 'Embedding'],
] as const;

const linkItems = LINK_TEXTS.map(
  ([href, name, about]) => `<li><a href="${href}"><b>${name}</b><span>${about}</span></a></li>`,
);
const partItems = PART_NAMES.map(([id, name]) => `<li data-part="${id}"><i></i><b>${name}</b><span>…</span></li>`);

const LANDING_HTML = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Support chat</title>
  <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/assets/landing.css">
</head>
<body>
  <main>
    <header>
      <img src="/assets/icon.svg" alt="" width="44" height="44">
      <h1>Support chat</h1>
      <p>Conversations, teams, and knowledge bases that answer with their sources.</p>
    </header>
    <section class="status" aria-labelledby="state" aria-live="polite">
      <h2><span id="state">Checking…</span><a href="/health/ready">details</a></h2>
      <ul>${partItems.join('')}</ul>
    </section>
    <nav aria-label="Links"><ul>${linkItems.join('')}</ul></nav>
  </main>
  <script src="/assets/landing.js"></script>
</body>
</html>
`;

/** The page and its files. */
export const landingPages: Page[] = [
  { path: '/', type: 'text/html', render: () => ({ body: LANDING_HTML }) },
  ...['landing.css', 'landing.js', 'icon.svg'].map((name) => ownAssetPage(`/assets/${name}`, name)),
];
