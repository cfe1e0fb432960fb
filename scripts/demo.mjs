/**
 * Creates the demo of the first start: an owner, a project, one content and a bot. Uses the REST API for
 * everything except the verification of the owner's email address.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { waitUntil } from './set-up/processes.mjs';
import { writeJson } from './set-up/state-file.mjs';

/** The email address of the demo's owner, who is also the instance administrator if OPERATORS is not set. */
export const DEMO_OWNER_EMAIL = 'owner@example.com';

const PROJECT_NAME = 'Demo';
const BOT_NAME = 'Assistant';
const INDEXED_STATUS = 300;
const INDEXING_TIMEOUT_MS = 30_000;
const DEMO_QUESTION = 'How long do I have to return a parcel?';
const CONTENT_TEXT = `# Returns
You can return a parcel within 30 days after it arrives. The goods must be unused and in their original packaging.
Print the label from your account and leave the parcel at any post office. We refund the price within five days.

# Opening hours
The shop is open from nine to six on weekdays and from ten to four on Saturdays. On Sundays it is closed.`;

/** An error response of the API. */
class ApiError extends Error {
  constructor(status, text) {
    super(`the API answered ${status}: ${text.slice(0, 300)}`);
    this.status = status;
  }
}

const apiClient = (url, authorization) => async (method, route, body) => {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
  const reply = await fetch(`${url}/v3${route}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await reply.text();
  if (!reply.ok) throw new ApiError(reply.status, text);
  return JSON.parse(text);
};

/** Signs in, after signing up if the account does not exist. Returns the token. */
async function signIn(url, { email, password }) {
  const call = apiClient(url);
  const signin = async () => (await call('POST', '/auth/signin', { email, password })).token;
  try {
    return await signin();
  } catch (error) {
    if (error.status !== 401) throw error;
  }
  await call('POST', '/auth/signup', { email, password, firstname: 'Demo', lastname: 'Owner' });
  return signin();
}

/** Returns the id of the demo project. Creates the project unless an interrupted start has created it. */
async function ensureProject(call) {
  const projects = (await call('GET', '/projects')).map((member) => member.id_project ?? member);
  const demo =
    projects.find((project) => project?.name === PROJECT_NAME) ??
    (await call('POST', '/projects', { name: PROJECT_NAME }));
  return demo._id ?? demo.id;
}

/** Adds the first content and waits until it is indexed, so that the question that `npm start` prints has an answer. */
async function ensureContent(call, project) {
  const content = {
    name: 'Returns and opening hours',
    type: 'text',
    source: 'demo',
    content: CONTENT_TEXT,
    namespace: project,
  };
  const { value } = await call('POST', `/${project}/kb`, content);
  const isIndexed = async () => (await call('GET', `/${project}/kb/${value._id}`)).status === INDEXED_STATUS;
  await waitUntil(isIndexed, { timeout: INDEXING_TIMEOUT_MS, every: 200 });
}

/** Creates a bot for the default department. The bot answers from the knowledge base and hands over to the team. */
async function ensureBot(call, project) {
  const bots = await call('GET', `/${project}/bots`);
  if (bots.some(({ name }) => name === BOT_NAME)) return;
  const bot = await call('POST', `/${project}/bots`, { name: BOT_NAME, template: 'handoff', namespace_id: project });
  const department = (await call('GET', `/${project}/departments/allstatus`)).find((each) => each.default);
  await call('PUT', `/${project}/departments/${department._id}`, { id_bot: bot._id });
}

async function completeDemo({ url, cli }, demo, write) {
  const call = apiClient(url, await signIn(url, demo));
  // The sign-in above fails if another person's account has this address, which must then stay unverified.
  await cli('accounts', 'verify', demo.email);
  const project = demo.project ?? (await ensureProject(call));
  write({ ...demo, project });
  await ensureContent(call, project);
  await ensureBot(call, project);
  return { ...demo, project };
}

const newDemo = () => {
  const password = randomBytes(15).toString('base64url');
  return { email: DEMO_OWNER_EMAIL, password, login: `${DEMO_OWNER_EMAIL}:${password}`, question: DEMO_QUESTION };
};

/**
 * Creates the demo unless an earlier start has created it; resumes an interrupted creation. Returns the content of
 * `demo.json`, with `isNew` if this start has completed the demo, or `{ missing }` with the reason why there is no
 * demo. `cli` runs a command of `npm run cli`.
 */
export async function ensureDemo({ url, dataDir, cli }) {
  const file = path.join(dataDir, 'demo.json');
  const stored = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : newDemo();
  if (stored.done) return { ...stored, file };
  writeJson(file, stored);
  try {
    const demo = await completeDemo({ url, cli }, stored, (facts) => writeJson(file, facts));
    writeJson(file, { ...demo, done: true });
    return { ...demo, file, isNew: true };
  } catch (error) {
    return { missing: `it could not be created: ${error.message}` };
  }
}
