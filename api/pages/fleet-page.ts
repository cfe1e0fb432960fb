/** The fleet page: what is wrong, the queues, and the processes with what they work on. For instance administrators. */
import { currentFleet } from './fleet-data.ts';
import { actionsHtml, overdueHtml, problemsHtml, processesHtml, queuesHtml } from './fleet-tables.ts';
import { ownAssetPage, type Page } from './page.ts';

const SECTIONS = [problemsHtml, queuesHtml, overdueHtml, processesHtml, actionsHtml];

const renderFleet = async (): Promise<{ body: string }> => {
  const fleet = await currentFleet();
  const at = fleet.at.toISOString();
  return {
    body: `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>Fleet – Support chat</title>
  <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/assets/landing.css">
  <link rel="stylesheet" href="/assets/fleet.css">
</head>
<body class="fleet">
  <header>
    <a href="/" aria-label="Support chat, start page"><img src="/assets/icon.svg" alt="" width="28" height="28"></a>
    <h1>Fleet</h1>
    <nav aria-label="Pages of administrators"><a href="/admin/queues">Queues</a> <a href="/metrics">Metrics</a></nav>
    <label><input type="checkbox" id="refresh" checked> Refresh every 5 s</label>
  </header>
  <main>
    <p id="as-of">As of <time datetime="${at}">${at.slice(11, 19)}</time> UTC <span role="status"></span></p>
    <div id="sections">${SECTIONS.map((render) => render(fleet)).join('\n')}</div>
  </main>
  <script type="module" src="/assets/fleet.js"></script>
</body>
</html>
`,
  };
};

/** The page and its files. */
export const fleetPages: Page[] = [
  { path: '/admin/fleet', type: 'text/html', instanceAdminsOnly: true, render: renderFleet },
  ...['fleet.css', 'fleet.js'].map((name) => ownAssetPage(`/assets/${name}`, name)),
];
