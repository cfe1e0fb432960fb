/** Ways to perform each transition of a conversation over HTTP, from any status. */
import { randomUUID } from 'node:crypto';
import { assignWaiting } from '#shared/domain/conversations/assignment/waiting-conversations.ts';
import type { INITIAL_STATUSES, Transition } from '#shared/domain/conversations/transitions.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '#shared/models/project-user.ts';
import { api, call, type Reply } from './api.ts';
import { aProject } from './people.ts';

/** The URL of an API with the `deployed-clients` wire profile; the test sets it. */
export const otherProfile = { url: '' };

/** A project for transitions, and its people. */
export type TransitionFixture = Awaited<ReturnType<typeof aTransitionFixture>>;

type ConversationInTransition = TransitionFixture & { request_id: string };

/** A way to perform a transition. */
export interface TransitionTrial {
  /** The first message; an ordinary text by default. */
  firstMessage?: object;
  /** The participants before the transition. */
  participants?: (conversation: ConversationInTransition) => string[];
  /** Additional preparation. */
  prepare?: (conversation: ConversationInTransition) => Promise<unknown>;
  act: (conversation: ConversationInTransition) => Promise<Reply>;
  /** The status that the call requests. */
  requestedStatus?: number;
  /** Whether the record changes although its status stays the same. */
  changesRecord?: true;
}

const pathOf = ({ project, request_id }: ConversationInTransition): string =>
  `/v3/${project.id}/requests/${request_id}`;
const putAsOwner =
  (path: string, body: (conversation: ConversationInTransition) => unknown = () => ({})) =>
  (conversation: ConversationInTransition) =>
    api(conversation.owner).put(`${pathOf(conversation)}/${path}`, body(conversation));
const addAgent = (conversation: ConversationInTransition) =>
  api(conversation.owner).post(`${pathOf(conversation)}/participants`, { member: conversation.agent.id });
const removeAgent = (conversation: ConversationInTransition) =>
  api(conversation.owner).delete(`${pathOf(conversation)}/participants/${conversation.agent.id}`);
const postAsVisitor = (conversation: ConversationInTransition) =>
  api(conversation.guest).post(`${pathOf(conversation)}/messages`, { text: 'Where is my order?' });
const assignWaitingConversations = async (conversation: ConversationInTransition) => {
  await assignWaiting(conversation.project.id);
  return api(conversation.owner).get(pathOf(conversation));
};
const putInOtherProfile = (path: string) => (conversation: ConversationInTransition) =>
  call('PUT', `${otherProfile.url}${pathOf(conversation)}/${path}`, {
    headers: { authorization: conversation.owner.authorization },
    checkOpenapi: false, // the response is described by the OpenAPI document of the other API
  });

const both = ({ owner, agent }: ConversationInTransition) => [owner.id, agent.id];
const onlyAgent = ({ agent }: ConversationInTransition) => [agent.id];
const onlyOwner = ({ owner }: ConversationInTransition) => [owner.id];
const onlyBot = ({ bot }: ConversationInTransition) => [`bot_${bot}`];

const teamFilter = ({ project }: ConversationInTransition) => ({ id_project: project.id, roleType: TEAM_ROLE_TYPE });
const makeTeamUnavailable = (conversation: ConversationInTransition) =>
  ProjectUser.updateMany(teamFilter(conversation), { $set: { user_available: false } });

/** Marks the conversation as abandoned by all agents: every teammate has left it. */
const markAbandonedByAll = async (conversation: ConversationInTransition) => {
  const members = await ProjectUser.find(teamFilter(conversation), { _id: 1 }).lean();
  const abandoned = Object.fromEntries(members.map(({ _id }) => [String(_id), Date.now()]));
  const set = { 'attributes.abandoned_by_project_users': abandoned };
  return Conversation.updateOne(
    { id_project: conversation.project.id, request_id: conversation.request_id },
    { $set: set },
  );
};

const setDepartment = ({ project }: Pick<TransitionFixture, 'project'>, set: object) =>
  Department.updateOne({ id_project: project.id, default: true }, { $set: set });

const abandonedWithBot = async (conversation: ConversationInTransition) => {
  await setDepartment(conversation, { id_bot: conversation.bot });
  await markAbandonedByAll(conversation);
};

const preflightTrial = {
  firstMessage: { text: 'welcome', preflight: true, request_status: 50 },
  changesRecord: true as const,
};
const [assign, departments, agent] = [putAsOwner('assign'), putAsOwner('departments'), putAsOwner('agent')];

/**
 * Every way to perform each transition. Even if all agents have abandoned a conversation, the same assignee may be
 * found: the bot of the department.
 */
export const transitionTrials: Record<Transition, TransitionTrial[]> = {
  'preflight ends without a bot, assignee found': [{ ...preflightTrial, act: postAsVisitor }],
  'preflight ends without a bot, no assignee found': [
    { ...preflightTrial, prepare: makeTeamUnavailable, act: postAsVisitor },
  ],
  'preflight ends with a bot': [{ ...preflightTrial, participants: onlyBot, act: postAsVisitor }],
  'waiting, agent becomes available': [{ act: assignWaitingConversations }],
  'assign, assignee found': [{ act: assign }],
  'assign, no assignee found': [{ prepare: makeTeamUnavailable, act: assign }],
  'assign, no assignee found, assignment unchanged, abandoned by all agents': [
    { prepare: markAbandonedByAll, act: assign },
  ],
  'change of department or agent, assignee found': [{ act: departments }, { participants: onlyBot, act: agent }],
  'change of department or agent, no assignee found': [
    { prepare: makeTeamUnavailable, act: departments },
    { prepare: makeTeamUnavailable, act: agent, participants: onlyBot },
  ],
  'change of department or agent, no assignee found, assignment unchanged, abandoned by all agents': [
    { prepare: markAbandonedByAll, act: departments },
    { prepare: markAbandonedByAll, act: agent },
  ],
  'change of department or agent, same assignee found, abandoned by all agents': [
    { participants: onlyBot, prepare: abandonedWithBot, act: departments },
  ],
  'replace with a bot': [{ participants: onlyAgent, act: putAsOwner('replace', ({ bot: id }) => ({ id })) }],
  'add a participant': [{ act: addAgent }, { participants: onlyBot, act: addAgent }],
  'add an existing participant': [{ participants: both, act: addAgent }],
  'set participants': [{ participants: onlyOwner, act: putAsOwner('participants', onlyAgent) }],
  'set no participants': [{ participants: both, act: putAsOwner('participants', () => []) }],
  'set the same participants': [{ participants: both, act: putAsOwner('participants', both) }],
  'remove a participant, others remain': [{ participants: both, act: removeAgent }],
  'remove the last participant': [{ participants: onlyAgent, act: removeAgent }],
  'remove a non-participant': [{ participants: onlyOwner, act: removeAgent }, { act: removeAgent }],
  close: [
    { participants: both, act: putAsOwner('close') },
    { act: (conversation) => api(conversation.guest).put(`${pathOf(conversation)}/closeg`, {}) },
    {
      act: (conversation) => api(conversation.owner).post(`${pathOf(conversation)}/messages`, { text: '\\close' }),
      changesRecord: true,
    },
  ],
  'forced close': [{ act: putAsOwner('close', () => ({ force: true })) }],
  reopen: [
    { participants: both, act: putAsOwner('reopen') },
    { act: putAsOwner('reopen') },
    { act: putInOtherProfile('reopen') },
  ],
  'reopen for deployed clients, with participants': [{ participants: both, act: putInOtherProfile('reopen') }],
  'patch the status': [50, 100, 150, 200, 1000].map((requestedStatus) => ({
    requestedStatus,
    act: (conversation) => api(conversation.owner).patch(pathOf(conversation), { status: requestedStatus }),
  })),
  'post a message': [{ participants: both, act: postAsVisitor, changesRecord: true }],
};

/** A trial for each initial status: the preparation, and the body that opens the conversation. */
export const openingTrials: Record<
  keyof typeof INITIAL_STATUSES,
  Pick<TransitionTrial, 'prepare'> & { openingBody?: (conversation: TransitionFixture) => object }
> = {
  'opened as temporary': { openingBody: () => ({ request_status: 50 }) },
  'opened with participants': { openingBody: ({ agent: { id } }) => ({ participants: [id] }) },
  'the department has a bot': { prepare: ({ bot, ...conversation }) => setDepartment(conversation, { id_bot: bot }) },
  'department with routing assigned, agent found': {},
  'department with routing assigned, no agent found': { prepare: makeTeamUnavailable },
  'pooled department': { prepare: (conversation) => setDepartment(conversation, { routing: 'pooled' }) },
};

/** A project for trials that run one after the other; in concurrent trials, waiting conversations would interfere. */
export const aTransitionFixture = async () => {
  const fixture = await aProject();
  const { body } = await api(fixture.owner).post(`/v3/${fixture.project.id}/bots`, { name: 'Bot' });
  return { ...fixture, bot: body._id as string };
};

/** Resets the project: all teammates available, no conversations, routing `assigned` and no bot in the department. */
const resetProject = async ({ project: { id: id_project } }: TransitionFixture) => {
  await Conversation.deleteMany({ id_project });
  await ProjectUser.updateMany({ id_project, roleType: TEAM_ROLE_TYPE }, { $set: { user_available: true } });
  await Department.updateMany({ id_project }, { $set: { routing: 'assigned' }, $unset: { id_bot: 1 } });
};

/** Prepares a conversation with the given status for the trial, as the only conversation of the project. */
export const prepareTrial = async (
  fixture: TransitionFixture,
  { firstMessage = { text: 'Hi' }, participants: participantsOf = () => [], prepare, act }: TransitionTrial,
  status: number,
) => {
  const conversation = { ...fixture, request_id: randomUUID() };
  const owner = api(conversation.owner);
  await resetProject(fixture);
  await api(conversation.guest).post(`${pathOf(conversation)}/messages`, firstMessage);
  await owner.put(`${pathOf(conversation)}/participants`, participantsOf(conversation));
  await owner.patch(pathOf(conversation), { status });
  await prepare?.(conversation);
  return { act: () => act(conversation), read: async () => (await owner.get(pathOf(conversation))).body };
};

/** Opens a conversation in a project without other conversations. Returns its status. */
export const statusAfterOpening = async (
  fixture: TransitionFixture,
  { prepare, openingBody = () => ({}) }: (typeof openingTrials)['pooled department'],
) => {
  const conversation = { ...fixture, request_id: randomUUID() };
  await resetProject(fixture);
  await prepare?.(conversation);
  const { body } = await api(conversation.guest).post(`${pathOf(conversation)}/messages`, {
    text: 'Hi',
    ...openingBody(conversation),
  });
  return body.request.status as number;
};
