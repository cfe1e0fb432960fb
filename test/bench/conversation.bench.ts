/** Compares the rates of conversation calls and of bare routes with the same authentication, reads and writes. */
import { randomUUID } from 'node:crypto';
import autocannon, { type Options, type Request } from 'autocannon';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser, VISITOR_ROLE_TYPE } from '#shared/models/project-user.ts';
import { issueToken } from '#shared/security/tokens.ts';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { printRates, runInterleaved } from './parts/interleaved-rounds.ts';
import { startServer } from './parts/server-process.ts';

const SECONDS_PER_ROUND = 3;
const ROUND_COUNT = 5;
const CONNECTIONS = 20;
/** Below the 60 conversations that a visitor may open per hour. */
const CONVERSATION_COUNT = 50;
const VISITOR_COUNT = 20_000;

const roundRobin = <T>(all: T[]) => {
  let index = 0;
  return (): T => all[index++ % all.length] as T;
};

/** Creates visitors who have not written yet. Returns their credentials. */
const createVisitors = async (id_project: string) => {
  const ids = times(VISITOR_COUNT, () => randomUUID());
  const member = { id_project, role: 'guest', roleType: VISITOR_ROLE_TYPE, createdBy: 'bench' };
  await ProjectUser.insertMany(ids.map((uuid_user) => ({ ...member, uuid_user })));
  return ids.map((_id) => `JWT ${issueToken('guest', { _id, fullName: 'Guest' }, config.GUEST_TOKEN_TTL_SECONDS)}`);
};

describe('Conversation benchmark', () => {
  let ours: Awaited<ReturnType<typeof startServer>>;
  let bare: Awaited<ReturnType<typeof startServer>>;

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

  const compare = async (
    what: string,
    options: Partial<Options> & { path: string; setup?: (request: Request) => Request },
  ) => {
    const { path, setup: setupRequest, ...more } = options;
    const rate = async (base: string) => {
      const requests = setupRequest ? { requests: [{ setupRequest }] } : {};
      const load = { connections: CONNECTIONS, duration: SECONDS_PER_ROUND, ...more, ...requests };
      const result = await autocannon({ url: base + path, ...load });
      expect(result.non2xx + result.errors).to.equal(0);
      return result.requests.average;
    };
    const result = await runInterleaved(
      ROUND_COUNT,
      () => rate(ours.url),
      () => rate(bare.url),
    );
    printRates(what, result);
    return result.ratio;
  };
  const posting = { method: 'POST', body: JSON.stringify({ text: 'Hello, is anybody there?' }) } as const;
  const json = { 'content-type': 'application/json' };

  it('posting a message reaches 0.7 of the bare rate', async () => {
    const { guest, paths } = await aBusyProject();
    const next = roundRobin(paths);
    const headers = { ...json, authorization: guest.authorization };
    const setup = (request: Request) => ({ ...request, path: next() });
    expect(await compare('POST of a message', { path: '', ...posting, headers, setup })).to.be.at.least(0.7);
  });

  it('opening a conversation reaches 0.6 of the bare rate', async () => {
    const { project, root } = await aBusyProject();
    const next = roundRobin(await createVisitors(project.id));
    const setup = (request: Request) => ({
      ...request,
      path: `${root}/${randomUUID()}/messages`,
      headers: { ...json, authorization: next() },
    });
    expect(await compare('POST of a first message', { path: '', ...posting, setup })).to.be.at.least(0.6);
  });

  it('listing 40 conversations reaches 0.7 of the bare rate', async () => {
    const { owner, root } = await aBusyProject();
    const headers = { authorization: owner.authorization };
    expect(await compare('GET of 40 conversations', { path: root, headers })).to.be.at.least(0.7);
  });
});
