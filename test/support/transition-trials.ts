/** Ways to bring about each move of a conversation, over HTTP as clients do, from whatever status it has. */
import { randomUUID } from 'node:crypto';
import { serveWaiting } from '#shared/domain/conversations/serving.ts';
import type { BEGINNINGS, Move } from '#shared/domain/conversations/transitions.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser, TEAM } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { api, call, type Reply } from './api.ts';
import { aProject } from './people.ts';

/** Where a profile of the wire is served that is not the suite's. */
export const elsewhere = { url: '' };

/** A project in which moves are made, and its people. */
export type Stage = Awaited<ReturnType<typeof aStage>>;

type Held = Stage & { request_id: string };

/** How a move is made. */
export interface Trial {
  /** Its first message, where that is a special one. */
  opens?: object;
  /** Who takes part before. */
  has?: (stage: Held) => string[];
  /** What must be so, too. */
  ready?: (stage: Held) => Promise<unknown>;
  act: (stage: Held) => Promise<Reply>;
  /** The status that it names. */
  given?: number;
  /** The record is another even where its status stays. */
  touches?: true;
}

const root = ({ project, request_id }: Held): string => `/v3/${project.id}/requests/${request_id}`;
const put =
  (verb: string, body: (stage: Held) => unknown = () => ({})) =>
  (stage: Held) =>
    api(stage.owner).put(`${root(stage)}/${verb}`, body(stage));
const add = (stage: Held) => api(stage.owner).post(`${root(stage)}/participants`, { member: stage.agent.id });
const remove = (stage: Held) => api(stage.owner).delete(`${root(stage)}/participants/${stage.agent.id}`);
const say = (stage: Held) => api(stage.guest).post(`${root(stage)}/messages`, { text: 'Where is my order?' });
const serve = async (stage: Held) => {
  await serveWaiting(stage.project.id);
  return api(stage.owner).get(root(stage));
};
const elsewherePut = (verb: string) => (stage: Held) =>
  call('PUT', `${elsewhere.url}${root(stage)}/${verb}`, {
    headers: { authorization: stage.owner.authorization },
    isDescribed: false, // in the document of another profile
  });

const both = ({ owner, agent }: Held) => [owner.id, agent.id];
const onlyAgent = ({ agent }: Held) => [agent.id];
const onlyOwner = ({ owner }: Held) => [owner.id];
const onlyBot = ({ bot }: Held) => [`bot_${bot}`];

const team = ({ project }: Held) => ({ id_project: project.id, roleType: TEAM });
const away = (stage: Held) => ProjectUser.updateMany(team(stage), { $set: { user_available: false } });

/** Every teammate has left it before. */
const left = async (stage: Held) => {
  const members = await ProjectUser.find(team(stage), { _id: 1 }).lean();
  const abandoned = Object.fromEntries(members.map(({ _id }) => [String(_id), Date.now()]));
  const set = { 'attributes.abandoned_by_project_users': abandoned };
  return Request.updateOne({ id_project: stage.project.id, request_id: stage.request_id }, { $set: set });
};

const setDepartment = ({ project }: Pick<Stage, 'project'>, set: object) =>
  Department.updateOne({ id_project: project.id, default: true }, { $set: set });

const leftToItsBot = async (stage: Held) => {
  await setDepartment(stage, { id_bot: stage.bot });
  await left(stage);
};

const welcome = { opens: { text: 'welcome', preflight: true, request_status: 50 }, touches: true as const };
const [assign, departments, agent] = [put('assign'), put('departments'), put('agent')];

/** Each move, in every way that there is to make it. */
export const trials: Record<Move, Trial[]> = {
  'preflight ends without a bot, somebody is found': [{ ...welcome, act: say }],
  'preflight ends without a bot, nobody is found': [{ ...welcome, ready: away, act: say }],
  'preflight ends with a bot': [{ ...welcome, has: onlyBot, act: say }],
  'waiting, somebody becomes free': [{ act: serve }],
  'assign, somebody is found': [{ act: assign }],
  'assign, nobody is found': [{ ready: away, act: assign }],
  'assign, nobody is found, nothing else changes, abandoned by all': [{ ready: left, act: assign }],
  'departments or agent, somebody is found': [{ act: departments }, { has: onlyBot, act: agent }],
  'departments or agent, nobody is found': [
    { ready: away, act: departments },
    { ready: away, act: agent, has: onlyBot },
  ],
  'departments or agent, nobody is found, nothing else changes, abandoned by all': [
    { ready: left, act: departments },
    { ready: left, act: agent },
  ],
  'departments or agent, found who is there already, abandoned by all': [
    { has: onlyBot, ready: leftToItsBot, act: departments },
  ],
  'replace by a bot': [{ has: onlyAgent, act: put('replace', ({ bot: id }) => ({ id })) }],
  'add a participant': [{ act: add }, { has: onlyBot, act: add }],
  'add a participant who is there': [{ has: both, act: add }],
  'set participants': [{ has: onlyOwner, act: put('participants', onlyAgent) }],
  'set no participants': [{ has: both, act: put('participants', () => []) }],
  'set the same participants': [{ has: both, act: put('participants', both) }],
  'remove a participant, others are left': [{ has: both, act: remove }],
  'remove the last participant': [{ has: onlyAgent, act: remove }],
  'remove who is not there': [{ has: onlyOwner, act: remove }, { act: remove }],
  close: [
    { has: both, act: put('close') },
    { act: (stage) => api(stage.guest).put(`${root(stage)}/closeg`, {}) },
    { act: (stage) => api(stage.owner).post(`${root(stage)}/messages`, { text: '\\close' }), touches: true },
  ],
  'close by force': [{ act: put('close', () => ({ force: true })) }],
  reopen: [{ has: both, act: put('reopen') }, { act: put('reopen') }, { act: elsewherePut('reopen') }],
  'reopen for deployed clients, somebody takes part': [{ has: both, act: elsewherePut('reopen') }],
  'patch the status': [50, 100, 150, 200, 1000].map((given) => ({
    given,
    act: (stage) => api(stage.owner).patch(root(stage), { status: given }),
  })),
  'post a message': [{ has: both, act: say, touches: true }],
};

/** How a conversation begins: what must be so, and what it is opened with. */
export const openings: Record<keyof typeof BEGINNINGS, Pick<Trial, 'ready'> & { with?: (stage: Stage) => object }> = {
  'asked to be temporary': { with: () => ({ request_status: 50 }) },
  'participants are given': { with: ({ agent: { id } }) => ({ participants: [id] }) },
  'the department has a bot': { ready: ({ bot, ...stage }) => setDepartment(stage, { id_bot: bot }) },
  'assigned, somebody is found': {},
  'assigned, nobody is found': { ready: away },
  pooled: { ready: (stage) => setDepartment(stage, { routing: 'pooled' }) },
};

/** A project in which moves are made, one after the other: whoever waits in it would come first. */
export const aStage = async () => {
  const world = await aProject();
  const { body } = await api(world.owner).post(`/v3/${world.project.id}/bots`, { name: 'Bot' });
  return { ...world, bot: body._id as string };
};

/** Everybody is there, nobody waits, no bot comes first. */
const clear = async ({ project: { id: id_project } }: Stage) => {
  await Request.deleteMany({ id_project });
  await ProjectUser.updateMany({ id_project, roleType: TEAM }, { $set: { user_available: true } });
  await Department.updateMany({ id_project }, { $set: { routing: 'assigned' }, $unset: { id_bot: 1 } });
};

/** A conversation of that status that is ready for the trial, the only one of its project. */
export const aTrial = async (
  world: Stage,
  { opens = { text: 'Hi' }, has = () => [], ready, act }: Trial,
  status: number,
) => {
  const stage = { ...world, request_id: randomUUID() };
  const owner = api(stage.owner);
  await clear(world);
  await api(stage.guest).post(`${root(stage)}/messages`, opens);
  await owner.put(`${root(stage)}/participants`, has(stage));
  await owner.patch(root(stage), { status });
  await ready?.(stage);
  return { act: () => act(stage), read: async () => (await owner.get(root(stage))).body };
};

/** The status of a conversation that begins so, in a project without others. */
export const begun = async (world: Stage, { ready, with: given = () => ({}) }: (typeof openings)['pooled']) => {
  const stage = { ...world, request_id: randomUUID() };
  await clear(world);
  await ready?.(stage);
  const { body } = await api(stage.guest).post(`${root(stage)}/messages`, { text: 'Hi', ...given(stage) });
  return body.request.status as number;
};
