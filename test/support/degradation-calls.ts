/** The calls on a project that are made during an outage, and the effects that they must have once it is over. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { projectModels } from '#shared/database/collection.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { call, type Reply } from './api.ts';
import { aTextBody } from './content-bodies.ts';
import type { DegradableSystem } from './degradation-system.ts';
import { aProject, PASSWORD } from './people.ts';
import { multipart } from './uploads.ts';
import { waitUntil } from './wait-until.ts';

const SETTLE_SECONDS = 110;
/** Longer than the difference between MongoDB's clock, by which records are dated, and that of the test process. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The answer to a call: its status and, for an error, its code and `Retry-After` in seconds (or `-`). */
const answerOf = ({ status, body, headers }: Reply): string =>
  status < 300 ? String(status) : [status, body?.code ?? body?.status, headers['retry-after'] ?? '-'].join(' ');

interface SentCall {
  method?: 'GET' | 'POST';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

type Send = (sent: SentCall) => Promise<Reply>;

/** Creates a project, and returns its id and a function that makes calls as its admin. */
const aProjectAt = async (url: string): Promise<{ id: string; send: Send }> => {
  const { project, admin } = await aProject();
  const signIn = { email: admin.email, password: PASSWORD };
  const { body: session } = await call('POST', `${url}/v3/auth/signin`, { body: signIn });
  const send: Send = ({ method = 'GET', path, body, headers }) =>
    call(method, url + path, { body, headers: { authorization: session.token, ...headers }, checkOpenapi: false });
  return { id: project.id, send };
};

/**
 * What was accepted: the texts of messages, the sources of contents, the addresses of invitations, and the uploaded
 * files whose bytes have not been compared yet.
 */
const createAccepted = () => ({
  texts: [] as string[],
  contents: [] as string[],
  addresses: [] as string[],
  unread: new Map<string, Buffer>(),
});

type Accepted = ReturnType<typeof createAccepted>;

const download = (send: Send, filename: string): Promise<Reply> => send({ path: `/v3/files?path=${filename}` });

/** The calls, by name. Each stores what it sent if that was accepted. */
const createCalls = (id: string, send: Send, { texts, contents, addresses, unread }: Accepted) => {
  let firstFile = '';
  const root = `/v3/${id}`;
  const post = async (path: string, body: object, accepted?: () => unknown): Promise<Reply> => {
    const reply = await send({ method: 'POST', path, body });
    if (reply.status < 300) accepted?.();
    return reply;
  };
  return {
    list: () => send({ path: `${root}/requests` }),
    message: () => {
      const text = randomUUID();
      return post(`${root}/requests/support-group-${randomUUID()}/messages`, { text }, () => texts.push(text));
    },
    question: () => post(`${root}/kb/qa`, { question: 'When does the shop open?', namespace: id }),
    content: () => {
      const body = aTextBody(id);
      return post(`${root}/kb`, body, () => contents.push(body.source));
    },
    upload: async () => {
      const bytes = Buffer.from(randomUUID());
      const form = multipart({ name: `${randomUUID()}.txt`, bytes });
      const reply = await send({ method: 'POST', path: `${root}/files/assets`, ...form });
      if (reply.status !== 201) return reply;
      firstFile ||= reply.body.filename;
      unread.set(reply.body.filename, bytes);
      return reply;
    },
    download: () => download(send, firstFile),
    invitation: () => {
      const email = `${randomUUID()}@example.org`;
      return post(`${root}/project_users/invite`, { email, role: 'agent' }, () => addresses.push(email));
    },
    ticket: () => post(`${root}/stream/ticket`, {}),
    live: () => send({ path: '/health/live' }),
    ready: () => send({ path: '/health/ready' }),
  };
};

/** A new project with a receiver of webhooks. `makeAll` makes each call once and returns the answers. */
export const aProjectWithCalls = async ({ api, receiver, smtp }: DegradableSystem) => {
  const { id, send } = await aProjectAt(api.url);
  await receiver.subscribe(id);
  const createdAtMs = Date.now();
  const accepted = createAccepted();
  const calls = createCalls(id, send, accepted);
  await calls.upload();
  const makeAll = async (): Promise<Record<string, string>> => {
    const entries = Object.entries(calls).map(async ([name, work]) => [name, answerOf(await work())] as const);
    return Object.fromEntries(await Promise.all(entries));
  };

  const countIndexed = () => KbContent.countDocuments({ id_project: id, status: 300 });
  const openDeliveries = () =>
    WebhookDelivery.find({ id_project: id, deliveredAt: null }, { dueAt: 1, attemptsMade: 1, error: 1 }).lean();
  /** The addresses that have not received exactly one email, with the number of emails that each has received. */
  const wrongMails = () =>
    accepted.addresses.flatMap((address) => {
      const { length } = smtp.to(address);
      return length === 1 ? [] : `${address}: ${length}`;
    });
  const undelivered = () => accepted.texts.filter((text) => !receiver.texts.has(text));
  /** Expects that everything that was accepted has taken effect: webhooks, indexed contents, emails, files. */
  const settle = async (): Promise<void> => {
    const isDone = async () =>
      undelivered().length + wrongMails().length === 0 && (await countIndexed()) === accepted.contents.length;
    await waitUntil(isDone, SETTLE_SECONDS).catch(async () =>
      expect({
        deliveries: await openDeliveries(),
        undelivered: undelivered(),
        wrongMails: wrongMails(),
        indexed: await countIndexed(),
      }).to.deep.equal({
        ...{ deliveries: [], undelivered: [], wrongMails: [] },
        indexed: accepted.contents.length,
      }),
    );
    for (const [filename, bytes] of accepted.unread) {
      const { status, text } = await download(send, filename);
      expect([status, text], filename).to.deep.equal([200, bytes.toString()]);
    }
    accepted.unread.clear();
  };
  /** Counts records whose `createdAt` is before or after the trial. */
  const countMisdated = async (): Promise<number> => {
    const earliest = new Date(createdAtMs - CLOCK_TOLERANCE_MS);
    const latest = new Date(Date.now() + CLOCK_TOLERANCE_MS);
    const misdated = { id_project: id, $or: [{ createdAt: { $lt: earliest } }, { createdAt: { $gt: latest } }] };
    const dated = projectModels().filter(({ schema }) => schema.path('createdAt'));
    const counts = await Promise.all(dated.map((model) => model.countDocuments(misdated)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const hasFailedDelivery = async (): Promise<boolean> =>
    (await openDeliveries()).some(({ error }) => typeof error === 'string');
  return { makeAll, settle, hasFailedDelivery, countMisdated };
};

/** A project, the calls on it, and the checks of their effects. */
export type ProjectWithCalls = Awaited<ReturnType<typeof aProjectWithCalls>>;
