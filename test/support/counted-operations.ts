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

/** A project with one teammate, its owner, whose address is verified, so that e-mails are sent. */
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

/** An operation: `prepare` returns the call whose commands are counted. */
export interface CountedOperation {
  name: string;
  prepare(): Promise<() => Promise<unknown>>;
}

/** Returns the operations on a project, and on one with a webhook. */
export const countedOperations = async (): Promise<CountedOperation[]> => {
  const project = await aOnePersonProject();
  const subscribed = await aOnePersonProject();
  await aReceiver(subscribed.id, 'message.create');
  const { id, owner } = project;
  const asOwner = api(owner);
  const root = `/v3/${id}`;
  const onConversation =
    (call: (conversation: Awaited<ReturnType<typeof aConversation>>) => Promise<unknown>, owning = project) =>
    async () => {
      const conversation = await aConversation(owning);
      return () => call(conversation);
    };
  const read = (path: string) => async () => () => expectSuccess(asOwner.get(path));
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
      prepare: onConversation(({ key, visitor }) => postMessage(project, key, visitor)),
    },
    { name: 'Message of an agent', prepare: onConversation(({ key }) => postMessage(project, key, owner)) },
    {
      name: 'Message of a visitor, with one webhook',
      prepare: onConversation(({ key, visitor }) => postMessage(subscribed, key, visitor), subscribed),
    },
    {
      name: 'Close a conversation',
      prepare: onConversation(({ path }) => expectSuccess(asOwner.put(`${path}/close`))),
    },
    {
      name: 'Reopen a conversation',
      prepare: async () => {
        const { path } = await aConversation(project);
        await expectSuccess(asOwner.put(`${path}/close`));
        return () => expectSuccess(asOwner.put(`${path}/reopen`));
      },
    },
    {
      name: 'Sign in',
      prepare: async () => () =>
        expectSuccess(api().post('/v3/auth/signin', { email: owner.email, password: PASSWORD })),
    },
    { name: 'Read a conversation', prepare: onConversation(({ path }) => expectSuccess(asOwner.get(path))) },
    { name: 'List 40 conversations', prepare: read(`${root}/requests?limit=40`) },
    {
      name: 'Update a lead',
      prepare: async () => {
        const { visitor } = await aConversation(project);
        const lead = await Lead.findOne({ id_project: id, lead_id: visitor.id }).orFail();
        return () => expectSuccess(asOwner.put(`${root}/leads/${String(lead._id)}`, { fullname: randomUUID() }));
      },
    },
    {
      name: 'Add a text to a knowledge base',
      prepare: async () => () =>
        expectSuccess(
          asOwner.post(`${root}/kb`, {
            ...{ name: randomUUID(), type: 'text', source: randomUUID(), content: `Parcels leave on Monday. ${randomUUID()}` },
            namespace: id,
          }),
        ),
    },
  ];
};
