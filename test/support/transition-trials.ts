/** Ways to perform each transition of a conversation over HTTP, from any status. */
import { randomUUID } from 'node:crypto';
import { assignWaiting } from '#shared/domain/conversations/assignment/waiting-conversations.ts';
import type { INITIAL_STATUSES, Transition } from '#shared/domain/conversations/transitions.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '#shared/models/project-user.ts';
import { api, call, type Reply } from './api.ts';
import { aProject } from './people.ts';

/** The URL of an API in the other wire profile. */
export const otherProfile = { url: '' };

/** A project for transitions, and its people. */
export type TransitionFixture = Awaited<ReturnType<typeof aTransitionFixture>>;

type ConversationInTransition = TransitionFixture & { request_id: string };

/** A way to perform a transition. */
export interface TransitionTrial {
  /** Its first message, if that is a special one. */
  firstMessage?: object;
  /** The participants before the transition. */
  participants?: (stage: ConversationInTransition) => string[];
  /** Further preparation. */
  prepare?: (stage: ConversationInTransition) => Promise<unknown>;
  act: (stage: ConversationInTransition) => Promise<Reply>;
  /** The status in the call. */
  requestedStatus?: number;
  /** Whether the record changes even if its status stays. */
  changesRecord?: true;
}

const root = ({ project, request_id }: ConversationInTransition): string => `/v3/${project.id}/requests/${request_id}`;
const putAsOwner =
  (path: string, body: (stage: ConversationInTransition) => unknown = () => ({})) =>
  (stage: ConversationInTransition) =>
    api(stage.owner).put(`${root(stage)}/${path}`, body(stage));
const addAgent = (stage: ConversationInTransition) =>
  api(stage.owner).post(`${root(stage)}/participants`, { member: stage.agent.id });
const removeAgent = (stage: ConversationInTransition) =>
  api(stage.owner).delete(`${root(stage)}/participants/${stage.agent.id}`);
const postAsVisitor = (stage: ConversationInTransition) =>
  api(stage.guest).post(`${root(stage)}/messages`, { text: 'Where is my order?' });
const assignWaitingConversations = async (stage: ConversationInTransition) => {
  await assignWaiting(stage.project.id);
  return api(stage.owner).get(root(stage));
};
const putInOtherProfile = (path: string) => (stage: ConversationInTransition) =>
  call('PUT', `${otherProfile.url}${root(stage)}/${path}`, {
    headers: { authorization: stage.owner.authorization },
    checkOpenapi: false, // described by the document of the other profile
  });

const both = ({ owner, agent }: ConversationInTransition) => [owner.id, agent.id];
const onlyAgent = ({ agent }: ConversationInTransition) => [agent.id];
const onlyOwner = ({ owner }: ConversationInTransition) => [owner.id];
const onlyBot = ({ bot }: ConversationInTransition) => [`bot_${bot}`];

const teamFilter = ({ project }: ConversationInTransition) => ({ id_project: project.id, roleType: TEAM_ROLE_TYPE });
const makeTeamUnavailable = (stage: ConversationInTransition) =>
  ProjectUser.updateMany(teamFilter(stage), { $set: { user_available: false } });

/** Every teammate has left the conversation before. */
const markDeclinedByAll = async (stage: ConversationInTransition) => {
  const members = await ProjectUser.find(teamFilter(stage), { _id: 1 }).lean();
  const abandoned = Object.fromEntries(members.map(({ _id }) => [String(_id), Date.now()]));
  const set = { 'attributes.abandoned_by_project_users': abandoned };
  return Conversation.updateOne({ id_project: stage.project.id, request_id: stage.request_id }, { $set: set });
};

const setDepartment = ({ project }: Pick<TransitionFixture, 'project'>, set: object) =>
  Department.updateOne({ id_project: project.id, default: true }, { $set: set });

const declinedWithBot = async (stage: ConversationInTransition) => {
  await setDepartment(stage, { id_bot: stage.bot });
  await markDeclinedByAll(stage);
};

const preflightTrial = {
  firstMessage: { text: 'welcome', preflight: true, request_status: 50 },
  changesRecord: true as const,
};
const [assign, departments, agent] = [putAsOwner('assign'), putAsOwner('departments'), putAsOwner('agent')];

/** Every way to perform each transition. */
export const transitionTrials: Record<Transition, TransitionTrial[]> = {
  'preflight ends without a bot, assignee found': [{ ...preflightTrial, act: postAsVisitor }],
  'preflight ends without a bot, no assignee found': [
    { ...preflightTrial, prepare: makeTeamUnavailable, act: postAsVisitor },
  ],
  'preflight ends with a bot': [{ ...preflightTrial, participants: onlyBot, act: postAsVisitor }],
  'waiting, agent becomes available': [{ act: assignWaitingConversations }],
  'assign, assignee found': [{ act: assign }],
  'assign, no assignee found': [{ prepare: makeTeamUnavailable, act: assign }],
  'assign, no assignee found, otherwise unchanged, abandoned by all agents': [
    { prepare: markDeclinedByAll, act: assign },
  ],
  'departments or agent, assignee found': [{ act: departments }, { participants: onlyBot, act: agent }],
  'departments or agent, no assignee found': [
    { prepare: makeTeamUnavailable, act: departments },
    { prepare: makeTeamUnavailable, act: agent, participants: onlyBot },
  ],
  'departments or agent, no assignee found, otherwise unchanged, abandoned by all agents': [
    { prepare: markDeclinedByAll, act: departments },
    { prepare: markDeclinedByAll, act: agent },
  ],
  'departments or agent, same assignee found, abandoned by all agents': [
    { participants: onlyBot, prepare: declinedWithBot, act: departments },
  ],
  'replace by a bot': [{ participants: onlyAgent, act: putAsOwner('replace', ({ bot: id }) => ({ id })) }],
  'add a participant': [{ act: addAgent }, { participants: onlyBot, act: addAgent }],
  'add a participant who is present': [{ participants: both, act: addAgent }],
  'set participants': [{ participants: onlyOwner, act: putAsOwner('participants', onlyAgent) }],
  'set no participants': [{ participants: both, act: putAsOwner('participants', () => []) }],
  'set the same participants': [{ participants: both, act: putAsOwner('participants', both) }],
  'remove a participant, others remain': [{ participants: both, act: removeAgent }],
  'remove the last participant': [{ participants: onlyAgent, act: removeAgent }],
  'remove an absent participant': [{ participants: onlyOwner, act: removeAgent }, { act: removeAgent }],
  close: [
    { participants: both, act: putAsOwner('close') },
    { act: (stage) => api(stage.guest).put(`${root(stage)}/closeg`, {}) },
    { act: (stage) => api(stage.owner).post(`${root(stage)}/messages`, { text: '\\close' }), changesRecord: true },
  ],
  'close by force': [{ act: putAsOwner('close', () => ({ force: true })) }],
  reopen: [
    { participants: both, act: putAsOwner('reopen') },
    { act: putAsOwner('reopen') },
    { act: putInOtherProfile('reopen') },
  ],
  'reopen for deployed clients, with participants': [{ participants: both, act: putInOtherProfile('reopen') }],
  'patch the status': [50, 100, 150, 200, 1000].map((requestedStatus) => ({
    requestedStatus,
    act: (stage) => api(stage.owner).patch(root(stage), { status: requestedStatus }),
  })),
  'post a message': [{ participants: both, act: postAsVisitor, changesRecord: true }],
};

/** Initial statuses: the preparation, and the body that opens the conversation. */
export const openingTrials: Record<
  keyof typeof INITIAL_STATUSES,
  Pick<TransitionTrial, 'prepare'> & { with?: (stage: TransitionFixture) => object }
> = {
  'opened as temporary': { with: () => ({ request_status: 50 }) },
  'opened with participants': { with: ({ agent: { id } }) => ({ participants: [id] }) },
  'the department has a bot': { prepare: ({ bot, ...stage }) => setDepartment(stage, { id_bot: bot }) },
  'assigned department, agent found': {},
  'assigned department, no agent found': { prepare: makeTeamUnavailable },
  'pooled department': { prepare: (stage) => setDepartment(stage, { routing: 'pooled' }) },
};

/** A project for transitions, performed one after the other: a waiting conversation would be assigned first. */
export const aTransitionFixture = async () => {
  const fixture = await aProject();
  const { body } = await api(fixture.owner).post(`/v3/${fixture.project.id}/bots`, { name: 'Bot' });
  return { ...fixture, bot: body._id as string };
};

/** Resets the project: all teammates available, no waiting conversations, no bot in the department. */
const resetProject = async ({ project: { id: id_project } }: TransitionFixture) => {
  await Conversation.deleteMany({ id_project });
  await ProjectUser.updateMany({ id_project, roleType: TEAM_ROLE_TYPE }, { $set: { user_available: true } });
  await Department.updateMany({ id_project }, { $set: { routing: 'assigned' }, $unset: { id_bot: 1 } });
};

/** A conversation of that status, prepared for the trial, the only one of its project. */
export const prepareTrial = async (
  fixture: TransitionFixture,
  { firstMessage: opens = { text: 'Hi' }, participants: has = () => [], prepare, act }: TransitionTrial,
  status: number,
) => {
  const stage = { ...fixture, request_id: randomUUID() };
  const owner = api(stage.owner);
  await resetProject(fixture);
  await api(stage.guest).post(`${root(stage)}/messages`, opens);
  await owner.put(`${root(stage)}/participants`, has(stage));
  await owner.patch(root(stage), { status });
  await prepare?.(stage);
  return { act: () => act(stage), read: async () => (await owner.get(root(stage))).body };
};

/** The initial status of a conversation, in a project without others. */
export const statusAfterOpening = async (
  fixture: TransitionFixture,
  { prepare, with: bodyOf = () => ({}) }: (typeof openingTrials)['pooled department'],
) => {
  const stage = { ...fixture, request_id: randomUUID() };
  await resetProject(fixture);
  await prepare?.(stage);
  const { body } = await api(stage.guest).post(`${root(stage)}/messages`, { text: 'Hi', ...bodyOf(stage) });
  return body.request.status as number;
};
