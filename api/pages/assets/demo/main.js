/**
 * The demo page. The URL fragment selects the panes: `#visitor/<project>` or `#inbox` shows one pane in its own window.
 * Without a fragment, the page shows both panes.
 */
import { apiClient } from './api.js';
import { startInbox } from './inbox.js';
import { startVisitor } from './visitor.js';

const DEMO_NAME = 'Demo';
const ACCOUNT_KEY = 'demo-agent';

const signInForm = document.querySelector('#signin');
const panes = document.querySelector('.panes');
const [visitorPane, inboxPane] = panes.querySelectorAll('section');
const [view, projectOfView] = location.hash.slice(1).split('/');

/** Returns the demo project if the account is a member of it, otherwise the account's most recently updated project. */
const findProject = async (client) => {
  const members = await client.with({ retries: 0 }).call('GET /v3/projects');
  const projects = members.map(({ id_project }) => id_project).filter((project) => project?._id);
  return projects.find(({ name }) => name === DEMO_NAME) ?? projects[0];
};

/** Shows the panes. They accept input only after they have started, because until then a form would reload the page. */
const open = async (startPanes) => {
  signInForm.hidden = true;
  panes.hidden = false;
  try {
    await startPanes();
    panes.inert = false;
  } catch (error) {
    signInForm.hidden = false;
    panes.hidden = true;
    throw error;
  }
};

const show = async (account) => {
  const client = apiClient(account.token);
  const project = await findProject(client);
  if (!project) throw new Error('This account is not a member of any project. Create a project first.');
  document.querySelector('#windows').hidden = false;
  document.querySelector('#visitor-window').href = `#visitor/${project._id}`;
  await open(async () => {
    if (view === 'inbox') visitorPane.remove();
    else await startVisitor(visitorPane, project._id);
    await startInbox(inboxPane, { client, project: project._id, agent: account.user });
  });
};

const signIn = async () => {
  const { email, password } = Object.fromEntries(new FormData(signInForm));
  const { token, user } = await apiClient()
    .with({ retries: 0 })
    .call('POST /v3/auth/signin', { body: { email, password } });
  const account = { token, user };
  await show(account);
  sessionStorage.setItem(ACCOUNT_KEY, JSON.stringify(account));
};

signInForm.addEventListener('submit', async (event) => {
  event.preventDefault();
  const problem = signInForm.querySelector('[role="alert"]');
  problem.textContent = '';
  try {
    await signIn();
  } catch (error) {
    problem.textContent = error.message;
  }
});

const start = async () => {
  if (view === 'visitor') {
    inboxPane.remove();
    return open(() => startVisitor(visitorPane, projectOfView));
  }
  const stored = sessionStorage.getItem(ACCOUNT_KEY);
  if (stored) await show(JSON.parse(stored));
};

addEventListener('hashchange', () => location.reload());
void start().catch(() => sessionStorage.removeItem(ACCOUNT_KEY));
