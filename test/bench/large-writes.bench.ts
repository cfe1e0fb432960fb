/**
 * Compares how many messages are posted and how many conversations are opened per second in a project of 1,000,000
 * conversations and in a small one.
 */
import { Conversation } from '#shared/models/conversation.ts';
import { aLargeProject } from '../support/large-project.ts';
import { compareServers, type Load } from './parts/compare-servers.ts';
import { type ServerProcess, startServer } from './parts/server-process.ts';
import {
  createVisitors,
  newMessagesPath,
  postingMessages,
  roundRobin,
  usePooledDepartment,
} from './parts/message-loads.ts';

const SIZE = Number(process.env.SIZE ?? 1_000_000);
const SMALL_SIZE = 1000;
/** Enough to open many conversations, although each visitor may open only 60 per hour. */
const VISITOR_COUNT = 1000;
/** A call may take 1.15 times as long as in the small project: the ratio of the rates is at least 1 / 1.15 = 0.87. */
const GOAL = { atLeast: 0.87 };

/** An API process, and the project to which the calls are made. */
interface Side {
  server: ServerProcess;
  id_project: string;
}

const startSide = async (requests: number): Promise<Side> => {
  const { id_project } = await aLargeProject(requests);
  await usePooledDepartment(id_project);
  return { server: await startServer('../../api/main.ts'), id_project };
};

const openingConversation = async ({ id_project }: Side): Promise<Load> => {
  const nextVisitor = roundRobin(await createVisitors(id_project, VISITOR_COUNT));
  return postingMessages(() => ({ path: newMessagesPath(id_project), authorization: nextVisitor() }));
};

/** Each visitor posts all messages to one conversation, which the first message opens. */
const postingMessage = async ({ id_project }: Side): Promise<Load> => {
  const visitors = await createVisitors(id_project, VISITOR_COUNT);
  return postingMessages(
    roundRobin(visitors.map((authorization) => ({ path: newMessagesPath(id_project), authorization }))),
  );
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
      const ours = { server: many.server, load: await loadOf(many) };
      const bare = { server: few.server, load: await loadOf(few) };
      await compareServers(what, { ours, bare }, GOAL);
    });
});
