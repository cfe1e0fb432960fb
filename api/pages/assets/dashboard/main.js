/** The dashboard of a project: signs in, and shows the figures of the API for the chosen period. */
import { apiClient } from '../demo/api.js';
import { connectChoice } from './choice.js';
import { longDay } from './format.js';
import { connectKnowledge } from './knowledge.js';
import { createPanels } from './panels.js';
import { createTiles } from './tiles.js';

/** The demo page stores its account under the same key, so that one sign-in is enough for both pages. */
const ACCOUNT_KEY = 'demo-agent';
const REFRESH_INTERVAL_MS = 60_000;

const [, , project] = location.pathname.split('/');
const signInForm = document.querySelector('#signin');
const main = document.querySelector('#figures');
const problem = document.querySelector('#problem');

const readFigure = (client, path, query) =>
  client.call(`GET /v3/{project_id}/analytics/${path}`, { path: { project_id: project }, query });

/** Downloads a figure as a CSV file. */
const downloadCsv = async (client, { id, path }, parameters) => {
  const csv = await readFigure(client, path, { ...parameters, format: 'csv' });
  const href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href, download: `${id}.csv` }).click();
  URL.revokeObjectURL(href);
};

const reporting = (work) => {
  problem.textContent = '';
  return work.catch((error) => {
    problem.textContent = error.message;
  });
};

/** Returns a function that loads and shows the figures of a choice. Replies for an earlier choice are discarded. */
const figuresLoader = ({ client, panels, tiles }) => {
  let latest;
  return async ({ parameters, days }) => {
    const current = Symbol('choice');
    latest = current;
    const replies = new Map();
    const read = (path) => {
      if (!replies.has(path)) replies.set(path, readFigure(client, path, parameters));
      return replies.get(path);
    };
    main.setAttribute('aria-busy', 'true');
    document.querySelector('#shown').textContent = `${longDay(days[0])} to ${longDay(days.at(-1))}`;
    const showWhenRead = async (paths, show) => {
      const rows = await Promise.all(paths.map(read));
      if (latest === current) show(rows);
    };
    await Promise.all([
      ...tiles.map(({ paths, show }) => showWhenRead(paths, (rows) => show(...rows))),
      ...panels.map(({ path, show }) => showWhenRead([path], ([rows]) => show(rows, days))),
    ]);
    if (latest === current) main.setAttribute('aria-busy', 'false');
  };
};

const show = async ({ token }) => {
  const client = apiClient(token);
  const once = client.with({ retries: 0 });
  const path = { project_id: project };
  await readFigure(once, 'requests/count', { lastdays: 1 });
  const [{ name }, departments] = await Promise.all([
    once.call('GET /v3/projects/{project_id}', { path }),
    once.call('GET /v3/{project_id}/departments/allstatus', { path, query: { sort: 'name' } }),
  ]);
  let choice;
  const tiles = createTiles();
  const panels = createPanels((figure) => reporting(downloadCsv(client, figure, choice.parameters)));
  const knowledge = document.querySelector('#knowledge');
  document.querySelector('#tiles').replaceChildren(...tiles.map(({ created }) => created));
  knowledge.before(...panels.map(({ created }) => created));
  document.querySelector('#messages').after(knowledge);
  document.querySelector('#project').textContent = name;
  document.title = `${name} – Dashboard – Support chat`;
  document.body.classList.add('signed-in');
  const load = figuresLoader({ client, panels, tiles });
  const { refresh } = connectChoice(document.querySelector('#choice'), departments, (changed) => {
    choice = changed;
    void reporting(load(changed));
  });
  const { refresh: refreshKnowledge } = connectKnowledge(knowledge, { client: once, project });
  await reporting(refreshKnowledge());
  setInterval(() => {
    if (document.hidden) return;
    refresh();
    void reporting(refreshKnowledge());
  }, REFRESH_INTERVAL_MS);
};

const signIn = async () => {
  const { email, password } = Object.fromEntries(new FormData(signInForm));
  const { token, user } = await apiClient()
    .with({ retries: 0 })
    .call('POST /v3/auth/signin', { body: { email, password } });
  await show({ token });
  sessionStorage.setItem(ACCOUNT_KEY, JSON.stringify({ token, user }));
};

signInForm.addEventListener('submit', async (event) => {
  event.preventDefault();
  const alert = signInForm.querySelector('[role="alert"]');
  alert.textContent = '';
  try {
    await signIn();
  } catch (error) {
    alert.textContent = error.message;
  }
});

document.querySelector('#signout').addEventListener('click', () => {
  sessionStorage.removeItem(ACCOUNT_KEY);
  location.reload();
});
document.querySelector('#print').addEventListener('click', () => print());

const stored = sessionStorage.getItem(ACCOUNT_KEY);
if (stored) await show(JSON.parse(stored)).catch(() => undefined); // if the token has expired, the form is shown
if (!document.body.classList.contains('signed-in')) document.body.classList.add('signed-out');
