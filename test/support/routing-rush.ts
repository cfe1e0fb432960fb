/** A rush: many conversations at once at twenty teammates who may have ten each, through two processes of the API. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectUser, TEAM, VISITOR } from '#shared/models/project-user.ts';
import { REQUEST } from '#shared/models/request.ts';
import { issueToken } from '#shared/tokens.ts';
import { newId } from '#shared/context.ts';
import { anApiProcess } from './api-process.ts';
import { call } from './api.ts';
import { aProject } from './people.ts';
import { Oracle } from './routing-oracle.ts';
import { times } from './stage.ts';
import { until } from './until.ts';
import type { Stage } from './routing-stage.ts';

const TEAM_SIZE = 20;
const CAPACITY = 10;
const PATIENCE = 20;
const ROOM = TEAM_SIZE * CAPACITY;
/** How many close at once, and so how many claims are in flight. */
const LANES = 4;
/** How many each of them closes before those who wait are served. */
const AT_A_TIME = 4;

/** Half of them have a limit of their own, half that of the project. */
const hire = async (id_project: string): Promise<void> => {
  const limits = { chat_limit_on: true, max_agent_assigned_chat: CAPACITY };
  await Project.updateOne({ _id: id_project }, { $set: { settings: limits } });
  await ProjectUser.updateMany({ id_project, roleType: TEAM }, { $set: { user_available: false } });
  const teammate = (at: number) => ({
    ...{ id_project, id_user: newId(), role: 'agent', roleType: TEAM, createdBy: 'test' },
    ...(at % 2 ? { max_assigned_chat: CAPACITY } : {}),
  });
  await ProjectUser.insertMany(times(TEAM_SIZE, teammate));
};

/** So many visitors; their `Authorization` headers. */
const welcome = async (id_project: string, count: number): Promise<string[]> => {
  const ids = times(count, () => randomUUID());
  const visitor = { id_project, role: 'guest', roleType: VISITOR, createdBy: 'test' };
  await ProjectUser.insertMany(ids.map((uuid_user) => ({ ...visitor, uuid_user })));
  return ids.map((_id) => `JWT ${issueToken('guest', { _id, fullName: 'Guest' }, 3600)}`);
};

/** Two processes of the API, and a project of which all that is written is judged. */
const aRush = async ({ log, hands }: Stage) => {
  const settings = { RATE_LIMIT_POINTS: '100000', MONGODB_URI: config.MONGODB_URI };
  const apis = await Promise.all([anApiProcess(settings), anApiProcess(settings)]);
  const { project } = await aProject();
  const { id: id_project } = project;
  const oracle = new Oracle();
  log.listen(id_project, (commit) => oracle.take(commit));
  await hire(id_project);
  let marks = 0;
  /** Once all that was written so far is judged. */
  const heard = async (): Promise<void> => {
    marks += 1;
    await Project.updateOne({ _id: id_project }, { $set: { attributes: { step: marks } } });
    await until(() => oracle.state.project?.attributes?.step === marks, PATIENCE);
  };
  return {
    ...{ id_project, oracle, hands, heard },
    urls: apis.map(({ url }) => url),
    end: async () => {
      log.forget(id_project);
      await Promise.all(apis.map((api) => api.stop()));
    },
  };
};

type Rush = Awaited<ReturnType<typeof aRush>>;

/** All at once; tells the statuses of the answers. */
const arrive = async ({ id_project, urls, oracle, heard }: Rush, arrivals: number): Promise<Set<number>> => {
  const visitors = await welcome(id_project, arrivals);
  await heard();
  oracle.begin({ claimers: arrivals, alone: false, rerouted: [], quiet: true });
  const one = async (authorization: string, at: number): Promise<number> => {
    const url = `${urls[at % urls.length]}/v3/${id_project}/requests/${randomUUID()}/messages`;
    return (await call('POST', url, { body: { text: 'Hi' }, headers: { authorization } })).status;
  };
  const statuses = await Promise.all(visitors.map(one));
  await heard();
  return new Set(statuses);
};

/** Close so many of those that are served, whichever; after a few, those who wait are served, as listeners would have them. */
const close = async ({ id_project, oracle, hands, heard }: Rush, count: number): Promise<void> => {
  oracle.begin({ claimers: LANES, alone: false, rerouted: [], quiet: true });
  const closing = new Set<string>();
  const anyServed = (): string => {
    const served = [...oracle.state.requests.values()].filter(
      ({ status, request_id }) => status === REQUEST.served && !closing.has(request_id),
    );
    const { request_id } = served[Math.floor(Math.random() * served.length)] as { request_id: string };
    closing.add(request_id);
    return request_id;
  };
  const work = async (lane: number): Promise<void> => {
    while (closing.size < count) {
      for (const request_id of times(Math.min(AT_A_TIME, count - closing.size), anyServed))
        await hands.act(lane, { verb: 'close', words: { id_project, request_id } });
      await hands.act(lane, { verb: 'serve', words: { id_project } });
    }
  };
  await Promise.all(times(LANES, work));
  await heard();
};

/** How many conversations each teammate has, and how many wait. */
const standing = ({ oracle: { state } }: Rush) => ({
  loads: [...state.members.values()].map((each) => each.number_assigned_requests).filter((load) => load > 0),
  waiting: state.waiting().length,
});

const full = times(TEAM_SIZE, () => CAPACITY);

/** Lets the rush come and go: nobody above the limit, nobody passed but by claims in flight; tells by how many at most. */
export const underRush = async (stage: Stage, arrivals: number): Promise<string> => {
  const rush = await aRush(stage);
  const { oracle } = rush;
  try {
    expect(await arrive(rush, arrivals)).to.deep.equal(new Set([200]));
    expect(standing(rush)).to.deep.equal({ loads: full, waiting: arrivals - ROOM });
    await close(rush, arrivals - ROOM);
    expect(standing(rush)).to.deep.equal({ loads: full, waiting: 0 });
    oracle.begin({ claimers: 0, alone: false, rerouted: [], quiet: false });
    expect(oracle.violations).to.deep.equal([]);
    expect(new Set(oracle.assigned.map(({ request }) => request)).size).to.equal(arrivals);
  } finally {
    await rush.end();
  }
  const served = oracle.assigned.slice(ROOM).map(({ passed }) => passed);
  return `${served.length} served, at most ${Math.max(...served)} passed by one in flight`;
};
