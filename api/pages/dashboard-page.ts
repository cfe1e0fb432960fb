/**
 * The dashboard of a project. The page is the same for all projects and reveals nothing about any of them: its script
 * signs in and reads the project's data through the public API.
 */
import { fileURLToPath } from 'node:url';
import { assetPage, ownAssetPage, type Page } from './page.ts';
import { pageHead } from './page-head.ts';

const plotLibrary = fileURLToPath(import.meta.resolve('uplot/dist/uPlot.iife.min.js'));
const plotStyles = fileURLToPath(import.meta.resolve('uplot/dist/uPlot.min.css'));

const FILES = [
  ...['dashboard.css', 'main.js', 'choice.js', 'figures.js', 'format.js'],
  ...['knowledge.js', 'panels.js', 'plot.js', 'tiles.js'],
];

const PERIODS = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['91', 'Last 13 weeks'],
  ['365', 'Last 12 months'],
  ['', 'From – to'],
].map(([days, text]) => `<option value="${days}">${text}</option>`);

const DASHBOARD_HTML = `${pageHead({ title: 'Dashboard – Support chat', styles: ['/assets/landing.css', '/assets/account.css', '/assets/uplot.css', '/assets/dashboard/dashboard.css'], isHidden: true })}
<body class="dashboard">
  <header>
    <a href="/" aria-label="Support chat, start page"><img src="/assets/icon.svg" alt="" width="28" height="28"></a>
    <h1>Dashboard <span id="project"></span></h1>
    <div class="actions">
      <button type="button" id="print">Print</button>
      <button type="button" id="signout">Sign out</button>
    </div>
  </header>
  <main>
    <form id="signin">
      <p>Sign in as an admin of this project.</p>
      <label>Email address<input name="email" type="email" autocomplete="username" required></label>
      <label>Password<input name="password" type="password" autocomplete="current-password" required></label>
      <button>Sign in</button>
      <p role="alert"></p>
    </form>
    <div id="figures">
      <form id="choice" aria-label="Filters">
        <label>Period<select name="days">${PERIODS.join('')}</select></label>
        <label class="day">First day<input type="date" name="start" required></label>
        <label class="day">Last day<input type="date" name="end" required></label>
        <label>Time zone<select name="timezone"></select></label>
        <label>Department<select name="department_id"><option value="">All</option></select></label>
        <p role="alert"></p>
      </form>
      <p id="shown"></p>
      <p id="problem" role="alert"></p>
      <ul id="tiles" aria-label="The whole period"></ul>
      <div class="panels">
        <section id="knowledge" class="panel" aria-labelledby="knowledge-title">
          <header><h2 id="knowledge-title">Knowledge</h2></header>
          <p class="summary">Current contents, and the stored questions without an answer.</p>
          <div class="scroll rows" tabindex="0" role="region" aria-label="Knowledge bases"></div>
        </section>
      </div>
    </div>
  </main>
  <noscript><p>The dashboard needs JavaScript.</p></noscript>
  <script src="/assets/uplot.js" defer></script>
  <script type="module" src="/assets/dashboard/main.js"></script>
</body>
</html>
`;

/** The page and its files. */
export const dashboardPages: Page[] = [
  { path: '/v3/:project_id/dashboard', type: 'text/html', render: () => ({ body: DASHBOARD_HTML }) },
  assetPage('/assets/uplot.js', plotLibrary),
  assetPage('/assets/uplot.css', plotStyles),
  ...FILES.map((name) => ownAssetPage(`/assets/dashboard/${name}`, `dashboard/${name}`)),
];
