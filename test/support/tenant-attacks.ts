/**
 * Attacks by which one tenant could slow down the others. Each function prepares a project and returns the requests of
 * an attack.
 */
import { randomUUID } from 'node:crypto';
import { Department } from '#shared/models/department.ts';
import type { FloodRequest } from '../bench/parts/flood.ts';
import { type Caller, call } from './api.ts';
import { aBot } from './bots.ts';
import { times } from './fleet-fixture.ts';
import type { Tenant } from './tenant-latency.ts';
import { aProjectKey, forgeToken } from './tokens.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const authHeaders = (caller?: Caller): Record<string, string> =>
  caller ? { authorization: caller.authorization } : {};

const post = (caller: Caller | undefined, path: string, body: unknown): FloodRequest => ({
  method: 'POST',
  path,
  headers: { ...JSON_TYPE, ...authHeaders(caller) },
  body: JSON.stringify(body),
});
const get = (caller: Caller | undefined, path: string): FloodRequest => ({
  method: 'GET',
  path,
  headers: authHeaders(caller),
});
const unread = (each: FloodRequest): FloodRequest => ({ ...each, reads: false });

const openConversation = async ({ url, root }: Tenant, by: Caller, more: object = {}): Promise<string> => {
  const one = `${root}/requests/support-group-${randomUUID()}`;
  const reply = await call('POST', `${url}${one}/messages`, {
    body: { text: 'Hello', ...more },
    headers: authHeaders(by),
  });
  if (reply.status !== 200) throw new Error(reply.text);
  return one;
};

const VISITORS = 10;

const conversationsOfVisitors = (tenant: Tenant, more?: object) =>
  Promise.all(
    tenant.scaled(VISITORS, async () => {
      const visitor = await tenant.visitor();
      return { visitor, one: await openConversation(tenant, visitor, more) };
    }),
  );

/** Visitors import long messages and list them. They do not read the responses to half of the list requests. */
const bulkImport = async (tenant: Tenant): Promise<FloodRequest[]> => {
  const all = await conversationsOfVisitors(tenant);
  const messages = times(20, () => ({ text: 'x'.repeat(20_000) }));
  return all.flatMap(({ visitor, one }) => [
    post(visitor, `${one}/messages/multi`, messages),
    unread(get(visitor, `${one}/messages`)),
    get(visitor, `${one}/messages`),
  ]);
};

/** Visitors write to a bot whose server responds slowly. */
const slowBot = async (tenant: Tenant): Promise<FloodRequest[]> => {
  const bot = await aBot(tenant.id, { type: 'external', url: tenant.slowUrl });
  const all = await conversationsOfVisitors(tenant, { participants: [`bot_${bot.id}`] });
  return all.flatMap(({ visitor, one }) => [
    post(
      visitor,
      `${one}/messages/multi`,
      times(20, (n) => ({ text: `Question ${n}` })),
    ),
    post(visitor, `${one}/messages`, { text: 'Another question' }),
  ]);
};

const csvOf = (columns: number, rows: number): string =>
  [times(columns, (n) => `column ${n}`), ...times(rows, () => times(columns, (n) => `value ${n}`))]
    .map((cells) => cells.join(','))
    .join('\n');

/** An agent uploads two files of leads: one with thousands of columns, and one with as many columns as are allowed. */
const wideCsv = async ({ agent, root }: Tenant): Promise<FloodRequest[]> =>
  [csvOf(4200, 5), csvOf(200, 400)].map((body) => ({
    method: 'POST',
    path: `${root}/leads/csv`,
    headers: { 'content-type': 'text/csv', ...authHeaders(agent) },
    body,
  }));

const HOSTILE_TEMPLATE = `{% assign a = (1..300) %}{{ a | where_exp: "x", "a contains x" | size }}${'{{ a | has_exp: "x", "x == 301" }}'.repeat(50)}`;

/** An agent imports messages whose templates are expensive. */
const templates = async (tenant: Tenant): Promise<FloodRequest[]> => {
  const one = await openConversation(tenant, tenant.agent);
  const message = { text: HOSTILE_TEMPLATE, attributes: { templateProcessor: true } };
  return [
    post(
      tenant.agent,
      `${one}/messages/multi`,
      times(6, () => message),
    ),
    post(tenant.agent, `${one}/messages`, message),
  ];
};

/** Anonymous callers with a transcript link request the PDF of a conversation with very long words. */
const longWords = async (tenant: Tenant): Promise<FloodRequest[]> => {
  const one = await openConversation(tenant, tenant.agent);
  for (const text of tenant.scaled(9, () => 'w'.repeat(30_000)))
    await call('POST', `${tenant.url}${one}/messages`, { body: { text }, headers: authHeaders(tenant.agent) });
  const { body } = await call('GET', `${tenant.url}${one}/transcript-link`, { headers: authHeaders(tenant.agent) });
  const link = new URL(
    body.links['messages.pdf'] ?? Object.values<string>(body.links).find((each) => each.includes('.pdf')),
  );
  return [get(undefined, link.pathname + link.search)];
};

/** A visitor with many conversations sends a different email address with each message. */
const newEmails = async (tenant: Tenant): Promise<FloodRequest[]> => {
  const visitor = await tenant.visitor();
  const paths = await Promise.all(tenant.scaled(40, () => openConversation(tenant, visitor)));
  return times(1000, (n) =>
    post(visitor, `${paths[n % paths.length]}/messages`, { text: 'Hi', email: `n${n}@example.com` }),
  );
};

/** Anonymous callers send forged tokens for a project with many valid secrets. */
const forgedTokens = async ({ id, root, scaled }: Tenant): Promise<FloodRequest[]> => {
  for (const _ of scaled(60, Number)) await aProjectKey(id, 2_592_000);
  const claims = { _id: 'x', sub: 'userexternal', aud: `https://tiledesk.com/projects/${id}` };
  return times(100, (n) => ({
    method: 'GET',
    path: `${root}/requests`,
    headers: { authorization: `JWT ${forgeToken({ ...claims, n }, { secret: 'wrong' })}` },
  }));
};

/** Visitors open streams without reading them. */
const openStreams = async (tenant: Tenant): Promise<FloodRequest[]> => {
  const visitors = await Promise.all(tenant.scaled(VISITORS, tenant.visitor));
  return visitors.map((visitor) => unread(get(visitor, `${tenant.root}/stream?after=0`)));
};

/** Anonymous callers read the departments of a project that has as many departments as are allowed. */
const manyDepartments = async ({ id, root, scaled }: Tenant): Promise<FloodRequest[]> => {
  const long = 'd'.repeat(4000);
  const one = (n: number) => ({ id_project: id, name: `Department ${n}`, description: long, createdBy: 'bench' });
  await Department.insertMany(scaled(1000, one));
  return [get(undefined, `${root}/widgets`), get(undefined, `${root}/departments`)];
};

/** All attacks, by the ids of their rows in docs/threats.md. */
export const attacks: Record<string, (tenant: Tenant) => Promise<FloodRequest[]>> = {
  H1: bulkImport,
  H2: slowBot,
  H3: wideCsv,
  M1: templates,
  M2: longWords,
  M3: newEmails,
  M4: forgedTokens,
  M5: openStreams,
  M8: manyDepartments,
};
