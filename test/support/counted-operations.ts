/** The operations whose MongoDB commands docs/performance.md lists. */
import { randomUUID } from 'node:crypto';
import * as projects from '#shared/domain/projects/projects.ts';
import { Lead } from '#shared/models/lead.ts';
import { api, type Caller, type Reply } from './api.ts';
import { aPerson, aVisitor, PASSWORD } from './people.ts';
import { aReceiver } from './webhooks.ts';

const expectSuccess = async (reply: Promise<Reply>): Promise<Reply> => {
  const { status, text } = await reply;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return reply;
};

/** A project with one teammate, its owner, whose address is verified, so that emails are sent. */
export const aOnePersonProject = async () => {
  const owner = await aPerson({ emailverified: true });
  const id = await projects.create({ name: 'Project' }, owner);
  return { id, owner };
};

type OnePersonProject = Awaited<ReturnType<typeof aOnePersonProject>>;

/** Posts a message to a conversation, which the first message opens. */
export const postMessage = ({ id }: { id: string }, conversation: string, caller: Caller): Promise<Reply> =>
  expectSuccess(api(caller).post(`/v3/${id}/requests/${conversation}/messages`, { text: 'Where is my order?' }));

/** A visitor who has called the API before, so that the access cache holds the visitor. */
const aKnownVisitor = async ({ id }: OnePersonProject): Promise<Caller> => {
  const visitor = await aVisitor(id);
  await expectSuccess(api(visitor).get(`/v3/${id}/requests/me`));
  return visitor;
};

const aConversation = async (project: OnePersonProject) => {
  const visitor = await aKnownVisitor(project);
  const key = `support-group-${randomUUID()}`;
  await postMessage(project, key, visitor);
  return { visitor, key, path: `/v3/${project.id}/requests/${key}` };
};

const aText = (namespace: string) => {
  const name = randomUUID();
  return { name, source: name, type: 'text', content: `Parcels of ${name} leave our warehouse on Monday.`, namespace };
};

/** An operation: `prepare` returns the call whose commands are counted. */
export interface CountedOperation {
  name: string;
  /** Whether the operation emits events, whose effects follow its response. Default: true. */
  emits?: boolean;
  prepare(): Promise<() => Promise<unknown>>;
}

type ConversationFixture = Awaited<ReturnType<typeof aConversation>>;

const onConversation =
  (project: OnePersonProject, call: (conversation: ConversationFixture) => Promise<unknown>) => async () => {
    const conversation = await aConversation(project);
    return () => call(conversation);
  };

const conversationOperations = (project: OnePersonProject): CountedOperation[] => {
  const { owner } = project;
  return [
    {
      name: 'First message of a visitor',
      prepare: async () => {
        const visitor = await aKnownVisitor(project);
        return () => postMessage(project, `support-group-${randomUUID()}`, visitor);
      },
    },
    {
      name: 'Message of a visitor',
      prepare: onConversation(project, ({ key, visitor }) => postMessage(project, key, visitor)),
    },
    { name: 'Message of an agent', prepare: onConversation(project, ({ key }) => postMessage(project, key, owner)) },
    {
      name: 'Close a conversation',
      prepare: onConversation(project, ({ path }) => expectSuccess(api(owner).put(`${path}/close`))),
    },
    {
      name: 'Reopen a conversation',
      prepare: async () => {
        const { path } = await aConversation(project);
        await expectSuccess(api(owner).put(`${path}/close`));
        return () => expectSuccess(api(owner).put(`${path}/reopen`));
      },
    },
    {
      name: 'Update a lead',
      prepare: async () => {
        const { visitor } = await aConversation(project);
        const lead = await Lead.findOne({ id_project: project.id, lead_id: visitor.id }).orFail();
        const path = `/v3/${project.id}/leads/${String(lead._id)}`;
        return () => expectSuccess(api(owner).put(path, { fullname: randomUUID() }));
      },
    },
  ];
};

const otherOperations = ({ id, owner }: OnePersonProject, { path }: ConversationFixture): CountedOperation[] => {
  const credentials = { email: owner.email, password: PASSWORD };
  const call = (name: string, send: () => Promise<Reply>, emits = true): CountedOperation => ({
    name,
    emits,
    prepare: async () => () => expectSuccess(send()),
  });
  return [
    call('Sign in', () => api().post('/v3/auth/signin', credentials)),
    call('Add a text to a knowledge base', () => api(owner).post(`/v3/${id}/kb`, aText(id))),
    call('Read a conversation', () => api(owner).get(path), false),
    call('List 40 conversations', () => api(owner).get(`/v3/${id}/requests?limit=40`), false),
  ];
};

/**
 * Returns the operations on a project, and those on a project with a webhook. Opens a conversation in both, to fill the
 * caches.
 */
export const countedOperations = async (): Promise<CountedOperation[]> => {
  const [project, subscribed] = [await aOnePersonProject(), await aOnePersonProject()];
  await aReceiver(subscribed.id, 'message.create');
  const conversation = await aConversation(project);
  await aConversation(subscribed);
  const withWebhook = onConversation(subscribed, ({ key, visitor }) => postMessage(subscribed, key, visitor));
  return [
    ...conversationOperations(project),
    { name: 'Message of a visitor, with one webhook', prepare: withWebhook },
    ...otherOperations(project, conversation),
  ];
};
