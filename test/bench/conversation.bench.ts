/** Compares the rates of conversation calls with those of bare routes with the same authentication and data access. */
import { randomUUID } from 'node:crypto';
import type { Request } from 'autocannon';
import { expect } from 'chai';
import { Department } from '#shared/models/department.ts';
import { request } from 'undici';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { compareServers } from './parts/compare-servers.ts';
import { type ServerProcess, startServer } from './parts/server-process.ts';
import { createVisitors, roundRobin } from './parts/visitors.ts';

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

  /** A project with a pooled department, and conversations that its visitor has opened. */
  const aBusyProject = async () => {
    const { project, owner, guest } = await aProject();
    const pooled = { id_project: project.id, name: 'Pooled', default: true, routing: 'pooled', createdBy: 'bench' };
    await Department.deleteMany({ id_project: project.id });
    await Department.create([pooled]);
    const root = `/v3/${project.id}/requests`;
    const paths = times(CONVERSATION_COUNT, () => `${root}/support-group-${randomUUID()}/messages`);
    for (const path of paths)
      expect((await api(guest).post(path, { text: 'Where is my order?' })).status).to.equal(200);
    return { project, owner, guest, root, paths };
  };

  const posting = { method: 'POST', body: JSON.stringify({ text: 'Hello, is anybody there?' }) } as const;
  const json = { 'content-type': 'application/json' };

  it('posting a message reaches 80% of the rate of a bare route', async () => {
    const { guest, paths } = await aBusyProject();
    const next = roundRobin(paths);
    const headers = { ...json, authorization: guest.authorization };
    const setupRequest = (request: Request) => ({ ...request, path: next() });
    const load = { ...posting, headers, requests: [{ setupRequest }] };
    await compareServers('POST of a message', { servers: { ours, bare }, load, goal: { atLeast: 0.8 } });
  });

  it('opening a conversation reaches 70% of the rate of a bare route', async () => {
    const { project, root } = await aBusyProject();
    const next = roundRobin(await createVisitors(project.id, VISITOR_COUNT));
    const setupRequest = (request: Request) => ({
      ...request,
      path: `${root}/${randomUUID()}/messages`,
      headers: { ...json, authorization: next() },
    });
    const load = { ...posting, requests: [{ setupRequest }] };
    await compareServers('POST of a first message', { servers: { ours, bare }, load, goal: { atLeast: 0.7 } });
  });

  it('listing 40 conversations reaches 85% of the rate of the bare query with JSON.stringify', async () => {
    const { owner, root } = await aBusyProject();
    const headers = { authorization: owner.authorization };
    const load = { path: root, headers };
    const sizes = await Promise.all(
      [ours, bare].map(async ({ url }) => (await (await request(url + root, { headers })).body.text()).length),
    );
    console.log(`      replies of ${sizes.join(' and ')} characters`);
    await compareServers('GET of 40 conversations', { servers: { ours, bare }, load, goal: { atLeast: 0.85 } });
  });
});
