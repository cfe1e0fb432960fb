/**
 * Compares the rates of messages and first messages in a project of 1,000,000 conversations with those in a small one.
 */
import { randomUUID } from 'node:crypto';
import type { Request } from 'autocannon';
import { Conversation } from '#shared/models/conversation.ts';
import { Department } from '#shared/models/department.ts';
import { aLargeProject } from '../support/large-project.ts';
import { compareServers, type Load } from './parts/compare-servers.ts';
import { type ServerProcess, startServer } from './parts/server-process.ts';
import { createVisitors, roundRobin } from './parts/visitors.ts';

const SIZE = Number(process.env.SIZE ?? 1_000_000);
const SMALL_SIZE = 1000;
/** Enough for messages to many conversations; each visitor may open 60 conversations per hour. */
const VISITOR_COUNT = 1000;
/** The cost may be 1.15 times as high, so the rate at least 1 / 1.15 = 0.87. */
const GOAL = { atLeast: 0.87 };

const json = { 'content-type': 'application/json' };
const posting = { method: 'POST', body: JSON.stringify({ text: 'Hello, is anybody there?' }) } as const;

/** An API process, and the project to which it gets calls. */
interface Side {
  server: ServerProcess;
  id_project: string;
}

const startSide = async (requests: number): Promise<Side> => {
  const { id_project } = await aLargeProject(requests);
  await Department.deleteMany({ id_project });
  await Department.create([{ id_project, name: 'Pooled', default: true, routing: 'pooled', createdBy: 'bench' }]);
  return { server: await startServer('../../api/main.ts'), id_project };
};

const messagesPath = (id_project: string) => `/v3/${id_project}/requests/support-group-${randomUUID()}/messages`;

const openingConversation = async ({ id_project }: Side): Promise<Load> => {
  const next = roundRobin(await createVisitors(id_project, VISITOR_COUNT));
  const setupRequest = (call: Request) => ({
    ...call,
    path: messagesPath(id_project),
    headers: { ...json, authorization: next() },
  });
  return { ...posting, requests: [{ setupRequest }] };
};

/** Each visitor posts to a conversation that the first call opens. */
const postingMessage = async ({ id_project }: Side): Promise<Load> => {
  const visitors = await createVisitors(id_project, VISITOR_COUNT);
  const next = roundRobin(visitors.map((authorization) => ({ authorization, path: messagesPath(id_project) })));
  const setupRequest = (call: Request) => {
    const { authorization, path } = next();
    return { ...call, path, headers: { ...json, authorization } };
  };
  return { ...posting, requests: [{ setupRequest }] };
};

describe('Large project: writes', () => {
  let [large, small]: Side[] = [];

  before(async () => {
    small = await startSide(SMALL_SIZE);
    const start = performance.now();
    large = await startSide(SIZE);
    const seconds = (performance.now() - start) / 1000;
    const count = await Conversation.countDocuments({ id_project: large.id_project });
    console.log(`      ${count} conversations and five times as many messages, created in ${seconds.toFixed(0)} s`);
  });
  after(() => {
    for (const each of [large, small]) each?.server.stop();
  });

  const calls: [what: string, loadOf: (side: Side) => Promise<Load>][] = [
    ['POST of a message', postingMessage],
    ['POST of a first message', openingConversation],
  ];
  for (const [what, loadOf] of calls)
    it(`${what} costs at most 1.15 times as much with ${SIZE} conversations as with ${SMALL_SIZE}`, async () => {
      const [many, few] = [large as Side, small as Side];
      const loads = new Map(
        await Promise.all([many, few].map(async (side) => [side.server, await loadOf(side)] as const)),
      );
      const load = (server: ServerProcess) => loads.get(server) as Load;
      await compareServers(what, { servers: { ours: many.server, bare: few.server }, load, goal: GOAL });
    });
});
