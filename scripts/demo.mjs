/** The demo of the first start: an owner, a project, one content; made through the REST API, step by step, but for the proof of its e-mail. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeJson } from './set-up/memory.mjs';
import { until } from './set-up/processes.mjs';

/** The e-mail of the demo's owner, who is also the operator where OPERATORS names nobody. */
export const OWNER = 'owner@example.com';

const PROJECT = 'Demo';
const INDEXED = 300;
const INDEXING = 30_000;
const QUESTION = 'Until when can I return a parcel?';
const TEXT = `# Returns
You can return a parcel within 30 days after it arrived. The goods must be unused and in their first wrapping.
Print the label from your account and leave the parcel at any post office. We refund the price within five days.

# Opening hours
The shop is open from nine to six on weekdays and from ten to four on Saturdays. On Sundays it is closed.`;

/** A reply of the API that is no success. */
class Refused extends Error {
  constructor(status, text) {
    super(`the API answered ${status}: ${text.slice(0, 300)}`);
    this.status = status;
  }
}

const client = (url, authorization) => async (method, route, body) => {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
  const reply = await fetch(`${url}/v3${route}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await reply.text();
  if (!reply.ok) throw new Refused(reply.status, text);
  return JSON.parse(text);
};

/** Sign in, signing up first where that was not done yet; answers the token. */
async function signIn(url, { email, password }) {
  const call = client(url);
  const signin = async () => (await call('POST', '/auth/signin', { email, password })).token;
  try {
    return await signin();
  } catch (error) {
    if (error.status !== 401) throw error;
  }
  await call('POST', '/auth/signup', { email, password, firstname: 'Demo', lastname: 'Owner' });
  return signin();
}

/** The demo's project: the one a start made that was killed before it could write that down, else a new one. */
async function ensureProject(call) {
  const mine = (await call('GET', '/projects')).map((member) => member.id_project ?? member);
  const made =
    mine.find((project) => project?.name === PROJECT) ?? (await call('POST', '/projects', { name: PROJECT }));
  return made._id ?? made.id;
}

/** Put the first content in and wait until it is indexed, so that the printed question has an answer. */
async function ensureContent(call, project) {
  const content = {
    name: 'Returns and opening hours',
    type: 'text',
    source: 'demo',
    content: TEXT,
    namespace: project,
  };
  const { value } = await call('POST', `/${project}/kb`, content);
  const indexed = async () => (await call('GET', `/${project}/kb/${value._id}`)).status === INDEXED;
  await until(indexed, { timeout: INDEXING, every: 200 });
}

async function finish({ url, cli }, demo, write) {
  const call = client(url, await signIn(url, demo));
  // Only now: whoever else had signed up with this e-mail could not have been signed in.
  await cli('accounts', 'verify', demo.email);
  const project = demo.project ?? (await ensureProject(call));
  write({ ...demo, project });
  await ensureContent(call, project);
  return { ...demo, project };
}

const begin = () => {
  const password = randomBytes(15).toString('base64url');
  return { email: OWNER, password, login: `${OWNER}:${password}`, question: QUESTION };
};

/**
 * Make the demo unless an earlier start did; a start that was killed half way is taken up where it ended.
 * Answers what `demo.json` keeps, with `fresh` at the first time, or `{ missing }` with the reason there is none.
 * `cli` runs a command of `npm run cli`.
 */
export async function makeDemo({ url, dataDir, cli }) {
  const file = path.join(dataDir, 'demo.json');
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : begin();
  if (known.done) return { ...known, file };
  writeJson(file, known);
  try {
    const demo = await finish({ url, cli }, known, (facts) => writeJson(file, facts));
    writeJson(file, { ...demo, done: true });
    return { ...demo, file, fresh: true };
  } catch (error) {
    return { missing: `none could be made: ${error.message}` };
  }
}
