/** What somebody sees who opens the server's address. */
import { ownAsset, type Page } from './page.ts';

const LINKS = [
  ['/docs', 'API documentation', 'Every endpoint, to read and to try'],
  ['/v3/openapi.json', 'OpenAPI 3.1', 'The same for programs'],
  ['/v3/asyncapi.json', 'AsyncAPI 3', 'Every event that is told'],
  ['/admin/queues', 'Queues', 'For operators of this instance'],
  ['/metrics', 'Metrics', 'For operators and Prometheus'],
] as const;

const PARTS = [
  ['mongodb', 'Database'],
  ['redis', 'Redis'],
  ['queues', 'Queues'],
  ['vectors', 'Search index'],
  ['embedding', 'Embedding'],
] as const;

const links = LINKS.map(([href, name, about]) => `<li><a href="${href}"><b>${name}</b><span>${about}</span></a></li>`);
const parts = PARTS.map(([id, name]) => `<li data-part="${id}"><i></i><b>${name}</b><span>…</span></li>`);

const PAGE = `<!doctype html>
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
      <h2><span id="state">Looking…</span><a href="/health/ready">details</a></h2>
      <ul>${parts.join('')}</ul>
    </section>
    <nav aria-label="Where to go"><ul>${links.join('')}</ul></nav>
  </main>
  <script src="/assets/landing.js"></script>
</body>
</html>
`;

/** The page and its files. */
export const landing: Page[] = [
  { path: '/', type: 'text/html', render: () => ({ body: PAGE }) },
  ...['landing.css', 'landing.js', 'icon.svg'].map((name) => ownAsset(`/assets/${name}`, name)),
];
