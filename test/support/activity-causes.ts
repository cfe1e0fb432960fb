/**
 * The table of activities (the entries of the list of who did what in a project): how clients cause each activity, and
 * what the activity records. Everyone in the project is called Ann Lee.
 */
import { randomUUID } from 'node:crypto';
import { aPageBody, aTextBody } from './content-bodies.ts';
import { membershipOf, openConversation } from './event-causes/conversations.ts';
import type { EventScene } from './event-causes/scene.ts';
import { aPerson, aTeammate } from './people.ts';

/** An activity, or the part of it that its cause determines. */
export interface ExpectedActivity {
  verb: string;
  actor?: { type: string; id: string };
  target: { type: string; id?: string };
  actionObj: object;
  /** The ids of the users whom the activity must record as involved. */
  involved: string[];
  message: string;
}

type Cause = (scene: EventScene) => Promise<ExpectedActivity[]>;

const userActor = ({ id }: { id: string }) => ({ type: 'user', id });

const conversationActivities: Cause = async (scene) => {
  const { call, owner, admin, agent, guest } = scene;
  const { path, request_id, message } = await openConversation(scene, 'Where is my order?');
  const { _id, ticket_id, participants } = message.request;
  await call(owner, 'PUT', `${path}/participants`, [owner.id]);
  await call(agent, 'POST', `${path}/participants`, { member: agent.id });
  await call(owner, 'POST', `${path}/participants`, { member: admin.id });
  for (const { id } of [admin, owner, agent]) await call(owner, 'DELETE', `${path}/participants/${id}`);
  await call(owner, 'PUT', `${path}/close`, {});
  const target = { type: 'request', id: _id };
  const name = `conversation #${ticket_id}`;
  const conversation = { request_id, ticket_id, first_text: 'Where is my order?', lead: { lead_id: guest.id } };
  const assignment = { assigneeName: 'Ann Lee', assigneeType: 'user', source: 'api', removedParticipants: [] };
  return [
    {
      ...{ verb: 'REQUEST_CREATE', target, actor: { type: 'visitor', id: guest.id }, involved: [] },
      actionObj: conversation,
      message: `guest#${guest.id.slice(0, 4)} started ${name}`,
    },
    {
      ...{ verb: 'REQUEST_ASSIGNED_AUTO', target, actor: { type: 'system', id: 'system' }, involved: participants },
      actionObj: { ...assignment, assigneeId: participants[0], assignmentType: 'auto', source: 'create' },
      message: `Conversation #${ticket_id} was assigned to Ann Lee`,
    },
    {
      ...{ verb: 'REQUEST_ASSIGNED_SELF', target, actor: userActor(agent), involved: [agent.id] },
      actionObj: { ...assignment, assigneeId: agent.id, assignmentType: 'self_join' },
      message: `Ann Lee took ${name}`,
    },
    {
      ...{ verb: 'REQUEST_ASSIGNED_MANUAL', target, actor: userActor(owner), involved: [owner.id, admin.id] },
      actionObj: { ...assignment, assigneeId: admin.id, assignmentType: 'manual_reassign' },
      message: `Ann Lee assigned ${name} to Ann Lee`,
    },
    {
      ...{ verb: 'LEAVE_CONVERSATION', target, actor: userActor(owner), involved: [admin.id, owner.id] },
      actionObj: { member: admin.id, source: 'api' },
      message: `Ann Lee left ${name}`,
    },
    {
      ...{ verb: 'REQUEST_UNASSIGNED', target, actor: userActor(owner), involved: [agent.id] },
      actionObj: { assigneeId: null, assignmentType: 'unassign', source: 'api', removedParticipants: [agent.id] },
      message: `Ann Lee unassigned ${name}`,
    },
    {
      ...{ verb: 'REQUEST_CLOSE', target, actor: userActor(owner), involved: [owner.id] },
      actionObj: { ...conversation, status: 1000, closed_by: owner.id },
      message: `Ann Lee closed ${name}`,
    },
  ];
};

const invitationActivities: Cause = async ({ call, owner, project: id_project }) => {
  const { id, email } = await aPerson({ emailverified: true });
  await call(owner, 'POST', 'project_users/invite', { email, role: 'agent', user_available: true });
  const unknown = `${randomUUID()}@example.com`;
  await call(owner, 'POST', 'project_users/invite', { email: unknown, role: 'admin' });
  const common = { verb: 'PROJECT_USER_INVITE', actor: userActor(owner) };
  return [
    {
      ...{ ...common, target: { type: 'project_user' }, involved: [owner.id, id] },
      actionObj: { id_project, email, role: 'agent', user_available: true, inviteType: 'registered' },
      message: 'Ann Lee invited Ann Lee as agent',
    },
    {
      ...{ ...common, target: { type: 'pendinginvitation' }, involved: [owner.id] },
      actionObj: { id_project, email: unknown, role: 'admin', inviteType: 'pending' },
      message: `Ann Lee invited ${unknown} as admin`,
    },
  ];
};

const membershipActivities: Cause = async (scene) => {
  const { call, owner, project: id_project } = scene;
  const [teammate, trashed] = [await aTeammate(id_project, 'agent'), await aTeammate(id_project, 'agent')];
  const own = async (change: object) => void (await call(teammate, 'PUT', 'project_users', change));
  const [id, trashedId] = [await membershipOf(scene, teammate), await membershipOf(scene, trashed)];
  const one = `project_users/${id}`;
  await own({ user_available: false });
  await own({ user_available: true, availabilityInitiator: 'system' });
  await call(owner, 'PUT', one, { user_available: false, profileStatus: 'lunch' });
  await call(owner, 'PUT', one, { role: 'admin', max_assigned_chat: 3 });
  await call(owner, 'PUT', one, { settings: { theme: 'dark' } });
  await call(owner, 'DELETE', `project_users/${trashedId}?soft=true`);
  await call(owner, 'DELETE', `${one}?hard=true`);
  const fields = { id_project, email: teammate.email, source: 'api' };
  const common = { target: { type: 'project_user', id }, involved: [teammate.id] };
  const update = { ...common, verb: 'PROJECT_USER_UPDATE', actor: userActor(owner) };
  const changed = 'Ann Lee changed the membership of Ann Lee';
  const availability = { ...fields, updateType: 'availability' };
  const removal = { verb: 'PROJECT_USER_DELETE', actor: userActor(owner) };
  return [
    {
      ...{ ...common, verb: 'PROJECT_USER_AVAILABILITY_SELF', actor: userActor(teammate) },
      actionObj: { ...availability, user_available: false, newStatus: 'unavailable' },
      message: 'Ann Lee is now unavailable',
    },
    {
      ...{ ...common, verb: 'PROJECT_USER_AVAILABILITY_SYSTEM', actor: userActor(teammate) },
      actionObj: { ...availability, user_available: true, newStatus: 'available' },
      message: 'Ann Lee was made available',
    },
    {
      ...{ ...update, message: changed },
      actionObj: { ...availability, user_available: false, profileStatus: 'lunch', newStatus: 'lunch' },
    },
    {
      ...{ ...update, message: changed },
      actionObj: { ...fields, role: 'admin', max_assigned_chat: 3, updateType: 'role' },
    },
    {
      ...{ ...update, message: changed },
      actionObj: { ...fields, settings: { theme: 'dark' }, updateType: 'details' },
    },
    {
      ...{ ...removal, target: { type: 'project_user', id: trashedId }, involved: [owner.id, trashed.id] },
      actionObj: { id_project, email: trashed.email, role: 'agent', deleteType: 'soft' },
      message: 'Ann Lee removed Ann Lee from the team',
    },
    {
      ...{ ...removal, target: { type: 'project_user', id }, involved: [owner.id, teammate.id] },
      actionObj: { id_project, email: teammate.email, role: 'admin', deleteType: 'hard' },
      message: 'Ann Lee removed Ann Lee from the team',
    },
  ];
};

const botActivities: Cause = async ({ call, admin }) => {
  const name = `Robbie ${randomUUID()}`;
  const { _id } = await call(admin, 'POST', 'bots', { name, template: 'empty' });
  const { bot_id: publishedBotId } = await call(admin, 'PUT', `bots/${_id}/publish`, { release_note: 'First' });
  await call(admin, 'DELETE', `bots/${_id}`);
  const common = { target: { type: 'faq_kb', id: _id }, actor: userActor(admin), involved: [admin.id] };
  const actionObj = { name, type: 'internal' };
  return [
    { ...common, verb: 'FAQ_KB_CREATE', actionObj, message: `Ann Lee added the bot ${name}` },
    {
      ...{ ...common, verb: 'FAQ_KB_PUBLISH', message: `Ann Lee published the bot ${name}` },
      actionObj: { ...actionObj, publishedBotId, release_note: 'First' },
    },
    { ...common, verb: 'FAQ_KB_DELETE', actionObj, message: `Ann Lee removed the bot ${name}` },
  ];
};

const knowledgeActivities: Cause = async ({ call, admin }) => {
  const namespaceName = 'Manuals';
  const { id } = await call(admin, 'POST', 'kb/namespace', { name: namespaceName });
  const { value } = await call(admin, 'POST', 'kb', aTextBody(id, { name: 'Opening hours' }));
  await call(admin, 'DELETE', `kb/${value._id}`);
  const list = [1, 2, 3].map(() => aPageBody(id).source);
  await call(admin, 'POST', `kb/multi?namespace=${id}`, { list: list.slice(0, 2) });
  await call(admin, 'DELETE', `kb/namespace/${id}?contents_only=true`);
  const { id: otherId } = await call(admin, 'POST', 'kb/namespace', { name: 'Drafts' });
  await call(admin, 'POST', `kb/multi?namespace=${otherId}`, { list });
  await call(admin, 'DELETE', `kb/namespace/${otherId}`);
  const people = { actor: userActor(admin), involved: [admin.id] };
  const namespace = { ...people, target: { type: 'kb_namespace', id } };
  const contents = { namespaceId: id, namespaceName };
  return [
    {
      ...{ ...namespace, verb: 'KB_NAMESPACE_CREATE', message: 'Ann Lee added the knowledge base Manuals' },
      actionObj: { namespaceName, hybrid: false, default: false },
    },
    {
      ...{ ...namespace, verb: 'KB_CONTENTS_ADD' },
      actionObj: { ...contents, contentAddType: 'content', count: 1, type: 'text', source: value.source },
      message: 'Ann Lee added contents to the knowledge base Manuals (1)',
    },
    {
      ...{ ...people, verb: 'KB_CONTENT_DELETE', target: { type: 'kb_content', id: value._id } },
      actionObj: { ...contents, name: 'Opening hours', source: value.source, type: 'text' },
      message: 'Ann Lee removed Opening hours from a knowledge base',
    },
    {
      ...{ ...namespace, verb: 'KB_CONTENTS_ADD' },
      actionObj: { ...contents, contentAddType: 'url_list', count: 2, type: 'url' },
      message: 'Ann Lee added contents to the knowledge base Manuals (2)',
    },
    {
      ...{ ...namespace, verb: 'KB_CONTENTS_DELETE' },
      actionObj: { ...contents, deletedCount: 2, deleteMode: 'contents_only' },
      message: 'Ann Lee removed the contents of the knowledge base Manuals (2)',
    },
    {
      ...{ ...people, verb: 'KB_NAMESPACE_DELETE', target: { type: 'kb_namespace', id: otherId } },
      actionObj: { namespaceName: 'Drafts', hybrid: false, default: false, deletedCount: 3 },
      message: 'Ann Lee removed the knowledge base Drafts',
    },
  ];
};

const CAUSES: Cause[] = [
  ...[conversationActivities, invitationActivities, membershipActivities],
  ...[botActivities, knowledgeActivities],
];

/** Makes the calls in the table, and returns the activities that they must cause. */
export const causeAllActivities = async (scene: EventScene): Promise<ExpectedActivity[]> => {
  const all: ExpectedActivity[] = [];
  for (const cause of CAUSES) all.push(...(await cause(scene)));
  return all;
};
