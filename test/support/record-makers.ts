/** Factories for every kind of project record. Most of them create the record over HTTP, as clients do. */
import { randomUUID } from 'node:crypto';
import { config } from '#shared/config.ts';
import { clearNamespace } from '#shared/domain/knowledge/deletions.ts';
import { issueSessionToken } from '#shared/domain/access/sessions.ts';
import { KbQuestionCluster } from '#shared/models/kb-question-cluster.ts';
import { MailBlock } from '#shared/models/mail-block.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Token } from '#shared/models/token.ts';
import { api } from './api.ts';
import { aTextBody } from './content-bodies.ts';
import { startImport as sendLeads } from './lead-files.ts';
import { anInstanceAdmin, type aProject, aTeammate, aVisitor } from './people.ts';

/** A project with its people. */
export type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const createByPost = async ({ project, owner }: ProjectFixture, path: string, body: object) => {
  const reply = await api(owner).post(`/v3/${project.id}/${path}`, body);
  if (reply.status !== 200) throw new Error(`POST ${path} failed: ${reply.text}`);
  return reply.body;
};

const recordMaker =
  (path: string, body: () => object) =>
  async (fixture: ProjectFixture): Promise<string> =>
    (await createByPost(fixture, path, body()))._id;

const namedRecordMaker = (path: string) => recordMaker(path, () => ({ name: `Name ${randomUUID()}` }));

const aLead = recordMaker('leads', () => ({ fullname: 'Ann', attributes: {} }));

const openRequest = (fixture: ProjectFixture) =>
  createByPost(fixture, 'requests', { first_text: 'Hello', request_id: `support-group-${randomUUID()}` });

const aRequest = async (fixture: ProjectFixture): Promise<string> => (await openRequest(fixture)).request_id;

const addNote = async (fixture: ProjectFixture) =>
  createByPost(fixture, `requests/${await aRequest(fixture)}/notes`, { text: 'Be kind' });

const addTag = async (fixture: ProjectFixture) => {
  const { project, owner } = fixture;
  const path = `/v3/${project.id}/requests/${await aRequest(fixture)}/tag`;
  return (await api(owner).put(path, [{ tag: 'vip', color: 'red' }])).body;
};

const banVisitor = async ({ project: { id }, owner }: ProjectFixture) =>
  (await api(owner).post(`/v3/projects/${id}/ban`, { id: (await aVisitor(id)).id })).body;

const aToken = async ({ owner: { id, email } }: ProjectFixture) => {
  await issueSessionToken({ _id: id, email }, { sub: 'user', ttlSeconds: config.TOKEN_TTL_SECONDS });
  return Token.findOne({ id_user: id }).sort({ _id: -1 }).orFail().lean();
};

const aMembership = async ({ project: { id } }: ProjectFixture): Promise<string> => {
  const { id: id_user } = await aTeammate(id, 'agent');
  return String((await ProjectUser.findOne({ id_project: id, id_user }).orFail().lean())._id);
};

const anInvitation = async (fixture: ProjectFixture): Promise<string> => {
  const { pendingInvitation } = await createByPost(fixture, 'project_users/invite', {
    email: `${randomUUID()}@example.com`,
    role: 'agent',
  });
  return pendingInvitation._id;
};

const aQuestion = async (fixture: ProjectFixture): Promise<string> =>
  (await createByPost(fixture, 'kb/unanswered', { namespace: fixture.project.id, question: 'When?' }))._id;

const anAnsweredQuestion = async (fixture: ProjectFixture): Promise<string> => {
  const body = { namespace: fixture.project.id, question: 'When?', answer: 'Now.' };
  return (await createByPost(fixture, 'kb/answered', body))._id;
};

const aQuestionCluster = async ({ project: { id } }: ProjectFixture): Promise<string> =>
  String((await KbQuestionCluster.create({ id_project: id, namespace: id, question: 'When?' }))._id);

const anIntent = async (fixture: ProjectFixture): Promise<string> => {
  const { _id: id_faq_kb } = await createByPost(fixture, 'bots', { name: `Name ${randomUUID()}` });
  return (await createByPost(fixture, 'faq', { id_faq_kb, question: 'When?', answer: 'Now' }))._id;
};

/** Factories by kind; each returns the id that clients use. */
export const RECORD_MAKERS = {
  request: aRequest,
  requestById: async (fixture: ProjectFixture): Promise<string> => (await openRequest(fixture))._id,
  message: async (fixture: ProjectFixture): Promise<string> =>
    (await createByPost(fixture, `requests/${await aRequest(fixture)}/messages`, { text: 'Hello' }))._id,
  lead: aLead,
  otherLead: aLead,
  department: namedRecordMaker('departments'),
  group: namedRecordMaker('groups'),
  bot: namedRecordMaker('bots'),
  intent: anIntent,
  mailBlock: async ({ project }: ProjectFixture): Promise<string> => {
    const block = { id_project: project.id, address: `${randomUUID()}@example.com`, reason: 'EENVELOPE 550' };
    return String((await new MailBlock(block).save())._id);
  },
  tag: recordMaker('tags', () => ({ tag: randomUUID() })),
  canned: recordMaker('canned', () => ({ title: 'Hello', text: 'Hello!' })),
  leadImport: async ({ project, owner }: ProjectFixture): Promise<string> =>
    (await sendLeads({ agent: owner, project }, 'fullname\nAnn\n')).body._id,
  property: recordMaker('properties', () => ({ label: 'Plan', name: randomUUID() })),
  segment: recordMaker('segments', () => ({ name: 'All', filters: [] })),
  subscription: recordMaker('subscriptions', () => ({
    event: 'request.create',
    target: `https://hooks.example.com/${randomUUID()}`,
  })),
  globalSubscription: async (): Promise<string> => {
    const body = { event: 'user.delete', target: `https://hooks.example.com/${randomUUID()}`, global: true };
    return (await api(await anInstanceAdmin()).post('/v3/subscriptions', body)).body._id;
  },
  trigger: recordMaker('modules/triggers', () => ({
    name: 'Greeting',
    trigger: { key: 'request.create', name: 'New conversation' },
    actions: [{ key: 'request.tags.add', parameters: { tag: 'new' } }],
  })),
  namespace: async (fixture: ProjectFixture): Promise<string> =>
    (await createByPost(fixture, 'kb/namespace', { name: 'Base' })).id,
  content: async (fixture: ProjectFixture): Promise<string> =>
    (await createByPost(fixture, 'kb', aTextBody(fixture.project.id))).value._id,
  kbImport: async (fixture: ProjectFixture): Promise<string> => {
    const list = [`http://10.0.0.1/${randomUUID()}`];
    return (await createByPost(fixture, `kb/multi?namespace=${fixture.project.id}`, { list }))[0].import_id;
  },
  question: aQuestion,
  integration: recordMaker('integration', () => ({ name: randomUUID(), value: { apikey: 'key' } })),
  deletion: async (fixture: ProjectFixture): Promise<string> => {
    const { id } = await createByPost(fixture, 'kb/namespace', { name: 'Empty' });
    return String((await clearNamespace(fixture.project.id, id))._id);
  },
  kbSettings: recordMaker('kbsettings', () => ({})),
  answeredQuestion: anAnsweredQuestion,
  questionCluster: aQuestionCluster,
  event: recordMaker('events', () => ({ name: 'event.emit.tried' })),
  note: async (fixture: ProjectFixture): Promise<string> => (await addNote(fixture)).notes[0]._id,
  requestTag: async (fixture: ProjectFixture): Promise<string> => (await addTag(fixture)).tags[0]._id,
  ban: async (fixture: ProjectFixture): Promise<string> => (await banVisitor(fixture)).bannedUsers[0]._id,
  token: async (fixture: ProjectFixture): Promise<string> => (await aToken(fixture)).jti,
  tokenById: async (fixture: ProjectFixture): Promise<string> => String((await aToken(fixture))._id),
  membership: aMembership,
  invitation: anInvitation,
  user: async ({ project }: ProjectFixture): Promise<string> => (await aTeammate(project.id, 'agent')).id,
  visitor: async ({ project }: ProjectFixture): Promise<string> => (await aVisitor(project.id)).id,
};

export type RecordKind = keyof typeof RECORD_MAKERS;

/** The kind of a record by its collection. */
export const KIND_OF_COLLECTION: Record<string, RecordKind> = {
  requests: 'request',
  leads: 'lead',
  departments: 'department',
  groups: 'group',
  bots: 'bot',
  intents: 'intent',
  subscriptions: 'subscription',
  triggers: 'trigger',
  tags: 'tag',
  canned: 'canned',
  segments: 'segment',
  properties: 'property',
  kb_contents: 'content',
  kb_unanswered: 'question',
  integrations: 'integration',
  kb_answered: 'answeredQuestion',
  project_users: 'membership',
  pending_invitations: 'invitation',
  mail_blocks: 'mailBlock',
};
