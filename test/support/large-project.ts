/** Projects of any size, and their most frequent calls. */
import { expect } from 'chai';
import { Types } from 'mongoose';
import { Conversation } from '#shared/models/conversation.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '#shared/models/project-user.ts';
import { fillProject } from '../../scripts/seed/fill-project.ts';
import { RARE_WORD } from '../../scripts/seed/project-records.ts';
import { api } from './api.ts';
import { expectIndexes, queriesDuring } from './explain.ts';
import { times } from './fleet-fixture.ts';
import { aProject } from './people.ts';
import { stopRelay } from './relay.ts';

const AGENT_COUNT = 8;

/** Every collection that the calls below query. */
const WATCHED_COLLECTIONS = ['requests', 'messages', 'request_counters', 'leads'];

const createAgents = async (id_project: string) => {
  const agents = times(AGENT_COUNT, () => ({
    _id: String(new Types.ObjectId()),
    id_user: String(new Types.ObjectId()),
  }));
  const member = { id_project, role: 'agent', roleType: TEAM_ROLE_TYPE, createdBy: 'seed' };
  await ProjectUser.insertMany(agents.map((agent) => ({ ...member, ...agent })));
  return agents;
};

/** A project with `requests` conversations, most of them closed, and five times as many messages. */
export const aLargeProject = async (requests: number) => {
  const { project, owner } = await aProject();
  const department = String(new Types.ObjectId());
  await fillProject({ id_project: project.id, department, agents: await createAgents(project.id), requests });
  const root = `/v3/${project.id}/requests`;
  const get = async (path: string) => {
    const { body, status } = await api(owner).get(root + path);
    expect(status).to.equal(200);
    return body;
  };
  const [middle] = await Conversation.find({ id_project: project.id, ticket_id: Math.ceil(requests / 2) }).lean();
  return {
    id_project: project.id,
    requests,
    calls: {
      'first page of the list': () => get(''),
      'search for a rare word': () => get(`?status=all&full_text=${RARE_WORD.word}`),
      'count of the closed conversations': () => get('?status=1000&limit=1'),
      'one conversation with its messages': async () => [
        await get(`/${middle?.request_id}`),
        await get(`/${middle?.request_id}/messages`),
      ],
    },
  };
};

export type LargeProject = Awaited<ReturnType<typeof aLargeProject>>;

/** The database queries of each call, by its name. */
export const queriesOf = async ({ calls }: LargeProject) => {
  await stopRelay();
  const queries: Record<string, Awaited<ReturnType<typeof queriesDuring>>> = {};
  for (const [name, call] of Object.entries(calls)) queries[name] = await queriesDuring(WATCHED_COLLECTIONS, call);
  return queries;
};

/** Fails if a call scans a collection, the search misses a conversation, or a count is not the number of records. */
export const expectIndexedAndCounted = async (project: LargeProject): Promise<void> => {
  const { id_project, calls } = project;
  await expectIndexes(Object.values(await queriesOf(project)).flat());
  const found = await calls['search for a rare word']();
  expect([found.count, found.requests.length]).to.deep.equal([RARE_WORD.times, RARE_WORD.times]);
  const open = { id_project, preflight: false, status: { $lt: 1000 } };
  expect((await calls['first page of the list']()).count).to.equal(await Conversation.countDocuments(open));
  expect((await calls['count of the closed conversations']()).count).to.equal(
    await Conversation.countDocuments({ id_project, preflight: false, status: 1000 }),
  );
};
