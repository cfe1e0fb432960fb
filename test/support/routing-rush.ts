/** Many concurrent conversations for teammates with a limit of ten each, through two API processes. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '#shared/context.ts';
import { CONVERSATION_STATUS } from '#shared/models/conversation.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectUser, TEAM_ROLE_TYPE, VISITOR_ROLE_TYPE } from '#shared/models/project-user.ts';
import { issueToken } from '#shared/security/tokens.ts';
import { anApi, call } from './api.ts';
import { anApiProcess } from './api-process.ts';
import { changeProject } from './change-project.ts';
import { times } from './fleet-fixture.ts';
import { aProject } from './people.ts';
import type { RoutingFixture } from './routing-fixture.ts';
import { RoutingOracle } from './routing-oracle.ts';
import { random } from './seeded-random.ts';
import { waitUntil } from './wait-until.ts';

const CAPACITY = 10;
const PATIENCE_SECONDS = 20;
/** The number of concurrent callers that close conversations. Each also reserves agents for waiting conversations. */
const PARALLEL_CLOSERS = 4;
/** The number of conversations that each caller closes before it assigns waiting conversations. */
const CLOSES_PER_ROUND = 4;

/** Creates the team. Half of the teammates have their own limit, the others the limit of the project. */
const createTeam = async (id_project: string, teammates: number): Promise<void> => {
  const limits = { chat_limit_on: true, max_agent_assigned_chat: CAPACITY };
  await changeProject(id_project, { $set: { settings: limits } });
  await ProjectUser.updateMany({ id_project, roleType: TEAM_ROLE_TYPE }, { $set: { user_available: false } });
  const teammate = (index: number) => ({
    ...{ id_project, id_user: newId(), role: 'agent', roleType: TEAM_ROLE_TYPE, createdBy: 'test' },
    ...(index % 2 ? { max_assigned_chat: CAPACITY } : {}),
  });
  await ProjectUser.insertMany(times(teammates, teammate));
};

/** Creates visitors; returns their `Authorization` headers. */
const createVisitors = async (id_project: string, count: number): Promise<string[]> => {
  const ids = times(count, () => randomUUID());
  const visitor = { id_project, role: 'guest', roleType: VISITOR_ROLE_TYPE, createdBy: 'test' };
  await ProjectUser.insertMany(ids.map((uuid_user) => ({ ...visitor, uuid_user })));
  return ids.map((_id) => `JWT ${issueToken('guest', { _id, fullName: 'Guest' }, 3600)}`);
};

/** Two API processes, one of which is this process, and a project whose writes routing-oracle.ts checks. */
const aRush = async ({ uri, log, processes }: RoutingFixture, teammates: number) => {
  const [own, other] = await Promise.all([anApi(), anApiProcess({ MONGODB_URI: uri })]);
  const { project } = await aProject();
  const { id: id_project } = project;
  const oracle = new RoutingOracle();
  log.listen(id_project, (commit) => oracle.applyCommit(commit));
  await createTeam(id_project, teammates);
  let marks = 0;
  /** Waits until all earlier writes have been checked. */
  const waitUntilJudged = async (): Promise<void> => {
    marks += 1;
    await Project.updateOne({ _id: id_project }, { $set: { attributes: { step: marks } } });
    await waitUntil(() => oracle.state.project?.attributes?.step === marks, PATIENCE_SECONDS);
  };
  return {
    ...{ id_project, oracle, processes, waitUntilJudged },
    urls: [own, other.url],
    end: async () => {
      log.stopListening(id_project);
      await other.stop();
    },
  };
};

type Rush = Awaited<ReturnType<typeof aRush>>;

/** Opens all conversations concurrently; returns the statuses of the responses. */
const openConversations = async (
  { id_project, urls, oracle, waitUntilJudged }: Rush,
  arrivals: number,
): Promise<Set<number>> => {
  const visitors = await createVisitors(id_project, arrivals);
  await waitUntilJudged();
  oracle.begin({ concurrentReservations: arrivals, isExclusive: false, rerouted: [], endsQuiet: true });
  const one = async (authorization: string, index: number): Promise<number> => {
    const url = `${urls[index % urls.length]}/v3/${id_project}/requests/${randomUUID()}/messages`;
    return (await call('POST', url, { body: { text: 'Hi' }, headers: { authorization } })).status;
  };
  const statuses = await Promise.all(visitors.map(one));
  await waitUntilJudged();
  return new Set(statuses);
};

/**
 * Closes random served conversations. After every CLOSES_PER_ROUND conversations, assigns waiting conversations, as a
 * listener does.
 */
const closeConversations = async (
  { id_project, oracle, processes, waitUntilJudged }: Rush,
  count: number,
): Promise<void> => {
  oracle.begin({ concurrentReservations: PARALLEL_CLOSERS, isExclusive: false, rerouted: [], endsQuiet: true });
  const closing = new Set<string>();
  const pickServed = (): string => {
    const served = [...oracle.state.requests.values()].filter(
      ({ status, request_id }) => status === CONVERSATION_STATUS.served && !closing.has(request_id),
    );
    const { request_id } = served[Math.floor(random() * served.length)] as { request_id: string };
    closing.add(request_id);
    return request_id;
  };
  const closeInRounds = async (closer: number): Promise<void> => {
    while (closing.size < count) {
      for (const request_id of times(Math.min(CLOSES_PER_ROUND, count - closing.size), pickServed))
        await processes.act(closer, { action: 'close', args: { id_project, request_id } });
      await processes.act(closer, { action: 'serve', args: { id_project } });
    }
  };
  await Promise.all(times(PARALLEL_CLOSERS, closeInRounds));
  await waitUntilJudged();
};

/** The number of conversations of each busy teammate, and the number of waiting conversations. */
const loadAndWaiting = ({ oracle: { state } }: Rush) => ({
  loads: [...state.members.values()].map((each) => each.number_assigned_requests).filter((load) => load > 0),
  waiting: state.waitingConversations().length,
});

/**
 * Opens and closes conversations. No teammate may exceed their limit, and a conversation may overtake earlier ones only
 * because of concurrent reservations. Returns a summary.
 */
export const runRush = async (
  fixture: RoutingFixture,
  { arrivals, teammates }: { arrivals: number; teammates: number },
): Promise<string> => {
  const rush = await aRush(fixture, teammates);
  const { oracle } = rush;
  const totalCapacity = teammates * CAPACITY;
  const full = { loads: times(teammates, () => CAPACITY), waiting: arrivals - totalCapacity };
  try {
    expect(await openConversations(rush, arrivals)).to.deep.equal(new Set([200]));
    expect(loadAndWaiting(rush)).to.deep.equal(full);
    await closeConversations(rush, full.waiting);
    expect(loadAndWaiting(rush)).to.deep.equal({ ...full, waiting: 0 });
    oracle.begin({ concurrentReservations: 0, isExclusive: false, rerouted: [], endsQuiet: false });
    expect(oracle.violations).to.deep.equal([]);
    expect(new Set(oracle.assigned.map(({ request }) => request)).size).to.equal(arrivals);
  } finally {
    await rush.end();
  }
  const served = oracle.assigned.slice(totalCapacity).map(({ overtaken: passed }) => passed);
  return `${served.length} conversations assigned after closes; each overtook at most ${Math.max(...served)} others`;
};
