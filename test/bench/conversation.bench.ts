/**
 * Compares the rates of conversation calls with those of bare routes with the same authentication and data access. The
 * bare route for lists has no authentication.
 */
import { expect } from 'chai';
import { request } from 'undici';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { compareServers, type Load } from './parts/compare-servers.ts';
import { type ServerProcess, startServer } from './parts/server-process.ts';
import {
  createVisitors,
  newMessagesPath,
  postingMessages,
  roundRobin,
  usePooledDepartment,
} from './parts/message-loads.ts';

/** Below the 60 conversations that a visitor may open per hour. */
const CONVERSATION_COUNT = 50;
const VISITOR_COUNT = 20_000;

describe('Conversation benchmark', () => {
  let ours: ServerProcess;
  let bare: ServerProcess;

  before(async () => {
    [ours, bare] = await Promise.all([startServer('../../api/main.ts'), startServer('./parts/bare-conversations.ts')]);
  });
  after(() => {
    for (const server of [ours, bare]) server.stop();
  });

  /** A project whose department assigns no agents, and conversations that its visitor has opened. */
  const aBusyProject = async () => {
    const { project, owner, guest } = await aProject();
    await usePooledDepartment(project.id);
    const paths = times(CONVERSATION_COUNT, () => newMessagesPath(project.id));
    for (const path of paths)
      expect((await api(guest).post(path, { text: 'Where is my order?' })).status).to.equal(200);
    return { project, owner, guest, paths };
  };

  const compare = (what: string, load: Load, goal: { atLeast: number }) =>
    compareServers(what, { ours: { server: ours, load }, bare: { server: bare, load } }, goal);

  it('posting a message reaches 80% of the rate of a bare route', async () => {
    const { guest, paths } = await aBusyProject();
    const nextPath = roundRobin(paths);
    const load = postingMessages(() => ({ path: nextPath(), authorization: guest.authorization }));
    await compare('POST of a message', load, { atLeast: 0.8 });
  });

  it('opening a conversation reaches 70% of the rate of a bare route', async () => {
    const { project } = await aBusyProject();
    const nextVisitor = roundRobin(await createVisitors(project.id, VISITOR_COUNT));
    const load = postingMessages(() => ({ path: newMessagesPath(project.id), authorization: nextVisitor() }));
    await compare('POST of a first message', load, { atLeast: 0.7 });
  });

  it('listing 40 conversations reaches 85% of the rate of the bare query with JSON.stringify', async () => {
    const { project, owner } = await aBusyProject();
    const headers = { authorization: owner.authorization };
    const load = { path: `/v3/${project.id}/requests`, headers };
    const sizes = await Promise.all(
      [ours, bare].map(async ({ url }) => (await (await request(url + load.path, { headers })).body.text()).length),
    );
    console.log(`      replies of ${sizes.join(' and ')} characters`);
    await compare('GET of 40 conversations', load, { atLeast: 0.85 });
  });
});
