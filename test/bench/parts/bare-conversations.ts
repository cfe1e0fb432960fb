/**
 * Bare Koa routes for messages with the raw MongoDB driver, with the same authentication, queries, writes and reply
 * bytes as the API, and the raw query for a list of conversations.
 */
import { createServer, type ServerResponse } from 'node:http';
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { koaBody } from 'koa-body';
import mongoose, { type ClientSession, type mongo } from 'mongoose';
import { ulid } from 'ulid';
import { connectMongo } from '#shared/database/connection.ts';
import { watchAccessChanges } from '#shared/domain/access/access-changes.ts';
import { authenticate, resolveMember } from '../../../api/http/auth/authenticate.ts';

type MongoDocument = mongo.Document;

await connectMongo();
await watchAccessChanges();
const collection = (name: string) => mongoose.connection.collection<MongoDocument>(name);
const [requests, messages, leads] = [collection('requests'), collection('messages'), collection('leads')];
const [departments, team, counters] = [collection('departments'), collection('project_users'), collection('counters')];
const users = collection('users');
const { ObjectId } = mongoose.Types;

const after = { returnDocument: 'after' } as const;
const eventText = (name: string) => JSON.stringify([ulid(Date.now(), Math.random), null, [name]]);
const inTransaction = <T>(work: (session: ClientSession) => Promise<T>): Promise<T> =>
  mongoose.connection.withSession((session) => session.withTransaction(() => work(session)));

/** A conversation, a message and a lead that the API has created, by project; the bare routes copy their fields. */
const templates = new Map<string, { request: MongoDocument; message: MongoDocument; lead: MongoDocument }>();
const templateOf = async (id_project: string) => {
  const [request, message, lead] = await Promise.all([
    requests.findOne({ id_project }),
    messages.findOne({ id_project }),
    leads.findOne({ id_project }),
  ]);
  const template = { request, message, lead } as {
    request: MongoDocument;
    message: MongoDocument;
    lead: MongoDocument;
  };
  templates.set(id_project, template);
  return template;
};

const actorOf = async (ctx: Context, project: string) => {
  const actor = await authenticate(ctx.get('authorization'), (_, attempt) => attempt());
  return (await resolveMember(actor, project)) ?? ctx.throw(403);
};

const newMessage = (
  template: MongoDocument,
  recipient: string,
  { sender, text }: { sender: string; text: string },
): MongoDocument => {
  const now = new Date();
  const serverFields = { createdAt: now, updatedAt: now, _events: eventText('message.create') };
  return { ...template, _id: new ObjectId(), recipient, sender, text, ...serverFields };
};

const insertMessage = (key: MongoDocument, message: MongoDocument) =>
  inTransaction(async (session) => {
    const own = { $or: [{ 'snapshot.lead.lead_id': message.sender }, { participants: message.sender }] };
    const last = { $set: { 'attributes.last_message': message, updatedAt: new Date() }, $inc: { __v: 1 } };
    const request = await requests.findOneAndUpdate({ ...key, ...own }, last, { session, ...after });
    if (request) await messages.insertOne(message, { session });
    return request;
  });

const createConversation = async (
  key: MongoDocument,
  { lead, request }: { lead: MongoDocument; request: MongoDocument },
  message: MongoDocument,
) => {
  const { id_project } = key;
  await requests.findOne(key, { projection: { _id: 1 } });
  await Promise.all([
    departments.findOne({ id_project, name: 'Pooled' }),
    team.find({ id_project, roleType: 1, status: 'active', trashed: false }).toArray(),
    leads.findOne({ id_project, lead_id: message.sender }),
  ]);
  const next = { $inc: { value: 1 } };
  const ticket = await counters.findOneAndUpdate({ id_project, name: 'tickets' }, next, { upsert: true, ...after });
  const newLead = { ...lead, _id: new ObjectId(), lead_id: message.sender, _events: eventText('lead.create') };
  const snapshot = { ...request.snapshot, lead: newLead };
  const openingFields = {
    ticket_id: ticket?.value,
    lead: String(newLead._id),
    snapshot,
    _events: eventText('request.create'),
  };
  const attributes = { last_message: message };
  const conversation = {
    ...request,
    _id: new ObjectId(),
    ...key,
    ...openingFields,
    attributes,
    createdAt: message.createdAt,
  };
  await inTransaction(async (session) => {
    await leads.insertOne(newLead, { session });
    await requests.insertOne(conversation, { session });
    await messages.insertOne(message, { session });
  });
  return conversation;
};

const router = new Router();
router.post('/v3/:project_id/requests/:request_id/messages', koaBody(), async (ctx) => {
  const { project_id: id_project, request_id } = ctx.params as { project_id: string; request_id: string };
  const { id: sender } = await actorOf(ctx, id_project);
  const template = templates.get(id_project) ?? (await templateOf(id_project));
  const key = { id_project, request_id };
  const message = newMessage(template.message, request_id, {
    sender,
    text: (ctx.request.body as { text: string }).text,
  });
  const request = (await insertMessage(key, message)) ?? (await createConversation(key, template, message));
  ctx.type = 'json';
  ctx.body = JSON.stringify({ ...message, request });
});
/** Reads the memberships and accounts of the agents. Returns a function that adds them to a conversation. */
const readAgents = async (conversations: MongoDocument[]) => {
  const refs: MongoDocument[] = conversations.flatMap(({ agents }) => agents ?? []);
  const [members, accounts] = await Promise.all([
    team.find({ _id: { $in: refs.map(({ _id }) => new ObjectId(String(_id))) } }).toArray(),
    users
      .find({ _id: { $in: refs.map(({ id_user }) => new ObjectId(String(id_user))) } }, { projection: { password: 0 } })
      .toArray(),
  ]);
  const byId = new Map([...members, ...accounts].map((record) => [String(record._id), record]));
  return ({ agents = [], snapshot, ...conversation }: MongoDocument) => {
    const whole = agents.map(({ _id, id_user }: MongoDocument) => ({
      ...byId.get(String(_id)),
      id_user: byId.get(String(id_user)),
    }));
    const { lead, requester } = snapshot;
    return { ...conversation, lead, requester, agents: whole, snapshot: { ...snapshot, agents: whole } };
  };
};

/**
 * Responds with 40 conversations, their leads and their agents. Runs only the queries and JSON.stringify, without Koa
 * and without authentication.
 */
const sendConversations = async (id_project: string, response: ServerResponse): Promise<void> => {
  const filter = { id_project, preflight: { $in: [false] }, status: { $in: [50, 100, 150, 200] } };
  const [count, conversations] = await Promise.all([
    requests.countDocuments(filter),
    requests.find(filter, { sort: { createdAt: -1, _id: -1 }, limit: 40, batchSize: 40 }).toArray(),
  ]);
  const withAgents = await readAgents(conversations);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ perPage: 40, count, requests: conversations.map(withAgents) }));
};
const handle = new Koa().use(router.routes()).callback();
const server = createServer((request, response) => {
  const [, id_project] = /^\/v3\/(\w+)\/requests$/.exec(request.url ?? '') ?? [];
  if (id_project && request.method === 'GET') return void sendConversations(id_project, response);
  return void handle(request, response);
}).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as { port: number }).port });
});
