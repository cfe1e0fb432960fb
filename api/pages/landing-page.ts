/** The landing page: the demo, a form for questions to its knowledge base, the state of the installation, and links. */
import { findDemoProject } from './demo-project.ts';
import { ownAssetPage, type Page } from './page.ts';
import { pageHead } from './page-head.ts';

const LINK_TEXTS = [
  ['/docs', 'API reference', 'Read about and try all endpoints'],
  ['/docs/events', 'Events and sockets', 'What webhooks and clients receive'],
  ['/admin/fleet', 'Fleet', 'Processes, queues and problems; instance administrators only'],
  ['/admin/queues', 'Queues', 'Instance administrators only'],
  ['/metrics', 'Metrics', 'Instance administrators and Prometheus only'],
  ['/v3/openapi.json', 'OpenAPI 3.1', 'The API description for tools'],
  ['/v3/asyncapi.json', 'AsyncAPI 3', 'All events with their payloads'],
] as const;

const PART_NAMES = [
  ['mongodb', 'Database'],
  ['redis', 'Redis'],
  ['queues', 'Queues'],
  ['vectors', 'Search index'],
  ['embedding', 'Embedding'],
] as const;

const linkItem = ([href, name, about]: readonly [string, string, string]): string =>
  `<li><a href="${href}"><b>${name}</b><span>${about}</span></a></li>`;
const partItems = PART_NAMES.map(([id, name]) => `<li data-part="${id}"><i></i><b>${name}</b><span>…</span></li>`);

const QUESTION = 'How long do I have to return a parcel?';

/** The form acts as a visitor of the demo project. The project id is no secret: widgets contain it as well. */
const askForm = (project: string): string => `
      <form id="ask" data-project="${project}">
        <label for="question">Ask the demo's knowledge base</label>
        <div><input id="question" name="question" value="${QUESTION}" placeholder="Another question" autocomplete="off" maxlength="500" required><button>Ask</button></div>
        <p role="alert"></p>
        <ol tabindex="0" aria-label="Question and answer" aria-live="polite"><li class="hint">The answer and its sources appear here.</li></ol>
      </form>`;

const landingHtml = (
  project?: string,
): string => `${pageHead({ title: 'Support chat', styles: ['/assets/landing.css'] })}
<body class="landing">
  <main>
    <header>
      <img src="/assets/icon.svg" alt="" width="44" height="44">
      <h1>Support chat</h1>
      <p>Conversations, teams, and knowledge bases that answer with their sources.</p>
    </header>
    <section class="demo-card" aria-labelledby="demo-title">
      <h2 id="demo-title">See it work</h2>
      <p>A visitor asks, the knowledge base answers, an agent takes over: both sides on one page.</p>
      <p class="primary"><a href="/demo">Open the demo</a>${project ? `<a href="/v3/${project}/dashboard">Its dashboard</a>` : ''}</p>${project ? askForm(project) : ''}
    </section>
    <section class="status" aria-labelledby="state">
      <h2><span id="state" aria-live="polite">Checking…</span><a href="/health/ready">Details</a></h2>
      <ul>${partItems.join('')}</ul>
    </section>
    <nav aria-label="Links"><ul>${LINK_TEXTS.map(linkItem).join('')}</ul></nav>
  </main>
  <script type="module" src="/assets/landing.js"></script>
</body>
</html>
`;

/** The page and its files. */
export const landingPages: Page[] = [
  { path: '/', type: 'text/html', render: () => ({ body: landingHtml(findDemoProject()) }) },
  ...['landing.css', 'landing.js', 'ask.js', 'icon.svg'].map((name) => ownAssetPage(`/assets/${name}`, name)),
];
