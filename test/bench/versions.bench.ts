/**
 * Compares the API with that of an earlier version: the same calls, alternately, each version with its own database.
 * `EARLIER_VERSION` is the folder of a checkout of the earlier version with its packages installed.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { request } from 'undici';
import { times } from '../support/fleet-fixture.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';
import { compareServers, type Load } from './parts/compare-servers.ts';
import { type ServerProcess, startServer } from './parts/server-process.ts';
import { newMessagesPath, postingMessages, roundRobin } from './parts/message-loads.ts';

const { EARLIER_VERSION } = process.env;
const CONVERSATION_COUNT = 50;
/** First messages go to several projects, so that no agent gets more than a few hundred conversations. */
const PROJECT_COUNT = 40;
/** Each visitor may open 60 conversations per hour; a round opens about 1,000. */
const VISITORS_PER_PROJECT = 15;
/** The rate of calls may be 5% lower than in the earlier version. */
const GOAL = { atLeast: 0.95 };

/** A server with a project that was created through its API. */
class Version {
  readonly server: ServerProcess;
  #token = '';
  #project = '';

  constructor(server: ServerProcess) {
    this.server = server;
  }

  async #post(callPath: string, body: object, authorization = this.#token) {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
    const response = await request(this.server.url + callPath, { method: 'POST', headers, body: JSON.stringify(body) });
    const reply = (await response.body.json()) as Record<string, unknown>;
    expect(response.statusCode, `${callPath}: ${JSON.stringify(reply)}`).to.equal(200);
    return reply;
  }

  async #createVisitor(project = this.#project): Promise<string> {
    const reply = await this.#post('/v3/auth/signinAnonymously', { id_project: project }, '');
    return String(reply.token);
  }

  async #createProject(): Promise<string> {
    return String((await this.#post('/v3/projects', { name: 'Benchmark' }))._id);
  }

  /** Creates the account, and the project to which all calls except first messages are made. */
  async setUp(): Promise<void> {
    const account = { email: `${randomUUID()}@example.com`, password: `Aa1-${randomUUID()}` };
    await this.#post('/v3/auth/signup', { ...account, firstname: 'Ada', lastname: 'Byron' });
    this.#token = String((await this.#post('/v3/auth/signin', account)).token);
    this.#project = await this.#createProject();
  }

  /** GET of one content of a knowledge base. */
  async readingRecord(): Promise<Load> {
    const content = { type: 'text', source: 'note', name: 'Note', content: 'A short note.', namespace: this.#project };
    const reply = await this.#post(`/v3/${this.#project}/kb`, content);
    const id = String((reply as { value?: { _id: string } }).value?._id ?? reply._id);
    return { path: `/v3/${this.#project}/kb/${id}`, headers: { authorization: this.#token } };
  }

  /** POST of a message by a visitor, to several conversations in turn. */
  async postingMessage(): Promise<Load> {
    const authorization = await this.#createVisitor();
    const nextPath = roundRobin(await this.#openConversations(authorization));
    return postingMessages(() => ({ path: nextPath(), authorization }));
  }

  /** POST of a first message. */
  async openingConversation(): Promise<Load> {
    const visitors: { project: string; authorization: string }[] = [];
    for (const project of await Promise.all(times(PROJECT_COUNT, () => this.#createProject())))
      for (const authorization of await Promise.all(times(VISITORS_PER_PROJECT, () => this.#createVisitor(project))))
        visitors.push({ project, authorization });
    const nextVisitor = roundRobin(visitors);
    return postingMessages(() => {
      const { project, authorization } = nextVisitor();
      return { path: newMessagesPath(project), authorization };
    });
  }

  /** GET of the first page of conversations. */
  async listingConversations(): Promise<Load> {
    await this.#openConversations(await this.#createVisitor());
    return { path: `/v3/${this.#project}/requests`, headers: { authorization: this.#token } };
  }

  /** Opens conversations. Returns the paths of their messages. */
  async #openConversations(visitor: string): Promise<string[]> {
    const paths = times(CONVERSATION_COUNT, () => newMessagesPath(this.#project));
    for (const each of paths) await this.#post(each, { text: 'Where is my order?' }, visitor);
    return paths;
  }
}

type LoadName = 'readingRecord' | 'postingMessage' | 'openingConversation' | 'listingConversations';

describe('Versions benchmark', () => {
  let [current, earlier]: Version[] = [];

  before(async function () {
    if (!EARLIER_VERSION) return skipWithReason(this, 'EARLIER_VERSION is not set');
    const database = new URL(config.MONGODB_URI);
    database.pathname += '-earlier';
    const settings = { MONGODB_URI: database.href, QUEUE_PREFIX: 'earlier', INVITATIONS: 'trusting' };
    const file = path.resolve(EARLIER_VERSION, 'api', 'main.ts');
    current = new Version(await startServer('../../api/main.ts', { INVITATIONS: 'trusting' }));
    earlier = new Version(await startServer(file, settings));
    for (const each of [current, earlier]) await each.setUp();
  });
  after(() => {
    for (const each of [current, earlier]) each?.server.stop();
  });

  const calls: [what: string, load: LoadName][] = [
    ['GET of one small record', 'readingRecord'],
    ['POST of a message', 'postingMessage'],
    ['POST of a first message', 'openingConversation'],
    ['GET of 40 conversations', 'listingConversations'],
  ];
  for (const [what, load] of calls)
    it(`${what} is at most 5% slower than in the earlier version`, async () => {
      const [now, then] = [current as Version, earlier as Version];
      await compareServers(
        what,
        {
          ours: { server: now.server, load: await now[load]() },
          bare: { server: then.server, load: await then[load]() },
        },
        GOAL,
      );
    });
});
