/** Projects of any size, and what is asked of them most. */
import { expect } from 'chai';
import { Types } from 'mongoose';
import { ProjectUser, TEAM } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { fill } from '../../scripts/seed/project.ts';
import { RARE } from '../../scripts/seed/records.ts';
import { api } from './api.ts';
import { aProject } from './people.ts';
import { expectIndexes, queriesDuring } from './plans.ts';
import { stopRelaying } from './relay.ts';
import { times } from './stage.ts';

const AGENTS = 8;

/** Every collection that a call asks. */
const WATCHED = ['requests', 'messages', 'request_tallies', 'leads'];

const someAgents = async (id_project: string) => {
  const agents = times(AGENTS, () => ({ _id: String(new Types.ObjectId()), id_user: String(new Types.ObjectId()) }));
  const member = { id_project, role: 'agent', roleType: TEAM, createdBy: 'seed' };
  await ProjectUser.insertMany(agents.map((agent) => ({ ...member, ...agent })));
  return agents;
};

/** A project with so many conversations, most of them closed, and five times as many messages. */
export const aProjectOf = async (requests: number) => {
  const { project, owner } = await aProject();
  const department = String(new Types.ObjectId());
  await fill({ id_project: project.id, department, agents: await someAgents(project.id), requests });
  const root = `/v3/${project.id}/requests`;
  const get = async (path: string) => {
    const { body, status } = await api(owner).get(root + path);
    expect(status).to.equal(200);
    return body;
  };
  const [middle] = await Request.find({ id_project: project.id, ticket_id: Math.ceil(requests / 2) }).lean();
  return {
    id_project: project.id,
    requests,
    calls: {
      'first page of the list': () => get(''),
      'search for a rare word': () => get(`?status=all&full_text=${RARE.word}`),
      'count of a status': () => get('?status=1000&limit=1'),
      'one with its messages': async () => [
        await get(`/${middle?.request_id}`),
        await get(`/${middle?.request_id}/messages`),
      ],
    },
  };
};

export type LargeProject = Awaited<ReturnType<typeof aProjectOf>>;

/** What each call asks of the database. */
export const queriesOf = async ({ calls }: LargeProject) => {
  await stopRelaying();
  const queries: Record<string, Awaited<ReturnType<typeof queriesDuring>>> = {};
  for (const [name, call] of Object.entries(calls)) queries[name] = await queriesDuring(WATCHED, call);
  return queries;
};

/** Fails where a call walks through a collection, where the search misses one, or where a count is not that of the records. */
export const expectRight = async (project: LargeProject): Promise<void> => {
  const { id_project, calls } = project;
  await expectIndexes(Object.values(await queriesOf(project)).flat());
  const found = await calls['search for a rare word']();
  expect([found.count, found.requests.length]).to.deep.equal([RARE.times, RARE.times]);
  const open = { id_project, preflight: false, status: { $lt: 1000 } };
  expect((await calls['first page of the list']()).count).to.equal(await Request.countDocuments(open));
  expect((await calls['count of a status']()).count).to.equal(
    await Request.countDocuments({ id_project, preflight: false, status: 1000 }),
  );
};
