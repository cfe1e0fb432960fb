/** Every kind of record that a project has, made as clients make it. */
import { randomUUID } from 'node:crypto';
import { config } from '#shared/config.ts';
import { begin } from '#shared/domain/access/sessions.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Token } from '#shared/models/token.ts';
import { api } from './api.ts';
import { aText } from './contents.ts';
import { send as sendLeads } from './lead-files.ts';
import { aTeammate, aVisitor, type aProject } from './people.ts';

/** A project with its people. */
export type World = Awaited<ReturnType<typeof aProject>>;

const posted = async ({ project, owner }: World, path: string, body: object) => {
  const reply = await api(owner).post(`/v3/${project.id}/${path}`, body);
  if (reply.status !== 200) throw new Error(`${path} is not made: ${reply.text}`);
  return reply.body;
};

const plain =
  (path: string, body: () => object) =>
  async (world: World): Promise<string> =>
    (await posted(world, path, body()))._id;

const named = (path: string) => plain(path, () => ({ name: `Name ${randomUUID()}` }));

const aLead = plain('leads', () => ({ fullname: 'Ann', attributes: {} }));

const openRequest = (world: World) =>
  posted(world, 'requests', { first_text: 'Hello', request_id: `of-a-kind-${randomUUID()}` });

const aRequest = async (world: World): Promise<string> => (await openRequest(world)).request_id;

const noted = async (world: World) => posted(world, `requests/${await aRequest(world)}/notes`, { text: 'Be kind' });

const tagged = async (world: World) => {
  const { project, owner } = world;
  const path = `/v3/${project.id}/requests/${await aRequest(world)}/tag`;
  return (await api(owner).put(path, [{ tag: 'vip', color: 'red' }])).body;
};

const banned = async ({ project: { id }, owner }: World) =>
  (await api(owner).post(`/v3/projects/${id}/ban`, { id: (await aVisitor(id)).id })).body;

const aToken = async ({ owner: { id, email } }: World) => {
  await begin({ _id: id, email }, { sub: 'user', ttl: config.TOKEN_TTL });
  return Token.findOne({ id_user: id }).sort({ _id: -1 }).orFail().lean();
};

const aMembership = async ({ project: { id } }: World): Promise<string> => {
  const { id: id_user } = await aTeammate(id, 'agent');
  return String((await ProjectUser.findOne({ id_project: id, id_user }).orFail().lean())._id);
};

const anInvitation = async (world: World): Promise<string> => {
  const { pendingInvitation } = await posted(world, 'project_users/invite', {
    email: `${randomUUID()}@example.com`,
    role: 'agent',
  });
  return pendingInvitation._id;
};

const aQuestion = async (world: World): Promise<string> =>
  (await posted(world, 'kb/unanswered', { namespace: world.project.id, question: 'When?' }))._id;

/** What makes one, and tells the id by which clients know it. */
export const KINDS = {
  request: aRequest,
  requestById: async (world: World): Promise<string> => (await openRequest(world))._id,
  message: async (world: World): Promise<string> =>
    (await posted(world, `requests/${await aRequest(world)}/messages`, { text: 'Hello' }))._id,
  lead: aLead,
  otherLead: aLead,
  department: named('departments'),
  group: named('groups'),
  bot: named('bots'),
  tag: plain('tags', () => ({ tag: randomUUID() })),
  canned: plain('canned', () => ({ title: 'Hello', text: 'Hello!' })),
  leadImport: async ({ project, owner }: World): Promise<string> =>
    (await sendLeads({ agent: owner, project }, 'fullname\nAnn\n')).body._id,
  property: plain('properties', () => ({ label: 'Plan', name: randomUUID() })),
  segment: plain('segments', () => ({ name: 'All', filters: [] })),
  subscription: plain('subscriptions', () => ({
    event: 'request.create',
    target: `https://hooks.example.com/${randomUUID()}`,
  })),
  namespace: async (world: World): Promise<string> => (await posted(world, 'kb/namespace', { name: 'Base' })).id,
  content: async (world: World): Promise<string> => (await posted(world, 'kb', aText(world.project.id))).value._id,
  question: aQuestion,
  event: plain('events', () => ({ name: 'event.emit.tried' })),
  note: async (world: World): Promise<string> => (await noted(world)).notes[0]._id,
  requestTag: async (world: World): Promise<string> => (await tagged(world)).tags[0]._id,
  ban: async (world: World): Promise<string> => (await banned(world)).bannedUsers[0]._id,
  token: async (world: World): Promise<string> => (await aToken(world)).jti,
  tokenById: async (world: World): Promise<string> => String((await aToken(world))._id),
  membership: aMembership,
  invitation: anInvitation,
  user: async ({ project }: World): Promise<string> => (await aTeammate(project.id, 'agent')).id,
  visitor: async ({ project }: World): Promise<string> => (await aVisitor(project.id)).id,
};

/** A kind of record. */
export type Kind = keyof typeof KINDS;

/** The kind of a record by the collection that keeps it. */
export const KIND_IN: Record<string, Kind> = {
  requests: 'request',
  leads: 'lead',
  departments: 'department',
  groups: 'group',
  bots: 'bot',
  subscriptions: 'subscription',
  tags: 'tag',
  canned: 'canned',
  segments: 'segment',
  properties: 'property',
  kb_contents: 'content',
  kb_unanswered: 'question',
  project_users: 'membership',
  pending_invitations: 'invitation',
};
