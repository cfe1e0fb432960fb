/** The fleet page, which shows instance administrators the problems, the queues, and the processes with their work. */
import { currentFleet } from './fleet-data.ts';
import { actionsHtml, overdueHtml, problemsHtml, processesHtml, queuesHtml } from './fleet-tables.ts';
import { ownAssetPage, type Page } from './page.ts';
import { pageHead } from './page-head.ts';

const SECTIONS = [problemsHtml, queuesHtml, overdueHtml, processesHtml, actionsHtml];

const renderFleet = async (): Promise<{ body: string }> => {
  const fleet = await currentFleet();
  const at = fleet.at.toISOString();
  return {
    body: `${pageHead({ title: 'Fleet – Support chat', styles: ['/assets/landing.css', '/assets/fleet.css'], isHidden: true })}
<body class="fleet">
  <header>
    <a href="/" aria-label="Support chat, start page"><img src="/assets/icon.svg" alt="" width="28" height="28"></a>
    <h1>Fleet</h1>
    <nav aria-label="Pages for administrators"><a href="/admin/queues">Queues</a> <a href="/metrics">Metrics</a></nav>
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
