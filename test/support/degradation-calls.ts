/** The calls of a project that are made during an outage, and what they must have caused afterwards. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Mail } from '#shared/models/mail.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { call, type Reply } from './api.ts';
import { aTextBody } from './content-bodies.ts';
import type { DegradableSystem } from './degradation-system.ts';
import { aProject, PASSWORD } from './people.ts';
import { multipart } from './uploads.ts';
import { waitUntil } from './wait-until.ts';

const SETTLE_SECONDS = 110;

/** What a call answers: its status and, for an error, its code and `Retry-After` (or `-`). */
const answerOf = ({ status, body, headers }: Reply): string =>
  status < 300 ? String(status) : [status, body?.code ?? body?.status, headers['retry-after'] ?? '-'].join(' ');

/** A new project with a receiver of webhooks. `make` contains its calls; what they cause is checked by `settle`. */
export const aProjectWithCalls = async ({ api, receiver, smtp }: DegradableSystem) => {
  const { project, admin } = await aProject();
  const signIn = { email: admin.email, password: PASSWORD };
  const { body: session } = await call('POST', `${api.url}/v3/auth/signin`, { body: signIn });
  await receiver.subscribe(project.id);
  const accepted = { texts: [] as string[], contents: [] as string[], addresses: [] as string[] };
  const files = new Map<string, Buffer>();
  const send = (method: 'GET' | 'POST', path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, api.url + path, {
      body,
      headers: { authorization: session.token, ...headers },
      checkOpenapi: false,
    });
  const root = `/v3/${project.id}`;
  /** Makes a call, and stores what it sent if it was accepted. */
  const keep = async <T>(list: T[], item: T, sent: Promise<Reply>): Promise<Reply> => {
    const reply = await sent;
    if (reply.status < 300) list.push(item);
    return reply;
  };
  const upload = async (): Promise<Reply> => {
    const bytes = Buffer.from(randomUUID());
    const form = multipart({ name: `${randomUUID()}.txt`, bytes });
    const reply = await send('POST', `${root}/files/assets`, form.body, form.headers);
    if (reply.status === 201) files.set(reply.body.filename, bytes);
    return reply;
  };
  const download = (filename = [...files.keys()][0]) => send('GET', `/v3/files?path=${filename}`);
  const make: Record<string, () => Promise<Reply>> = {
    list: () => send('GET', `${root}/requests`),
    message: () => {
      const text = randomUUID();
      const path = `${root}/requests/support-group-${randomUUID()}/messages`;
      return keep(accepted.texts, text, send('POST', path, { text }));
    },
    question: () => send('POST', `${root}/kb/qa`, { question: 'When does the shop open?', namespace: project.id }),
    content: () => {
      const body = aTextBody(project.id);
      return keep(accepted.contents, body.source, send('POST', `${root}/kb`, body));
    },
    upload,
    download: () => download(),
    invitation: () => {
      const email = `${randomUUID()}@example.org`;
      return keep(accepted.addresses, email, send('POST', `${root}/project_users/invite`, { email, role: 'agent' }));
    },
    ticket: () => send('POST', `${root}/stream/ticket`),
    live: () => send('GET', '/health/live'),
    ready: () => send('GET', '/health/ready'),
  };
  const makeAll = async (): Promise<Record<string, string>> => {
    const entries = Object.entries(make).map(async ([name, work]) => [name, answerOf(await work())] as const);
    return Object.fromEntries(await Promise.all(entries));
  };

  const isIndexed = async (): Promise<boolean> =>
    (await KbContent.countDocuments({ id_project: project.id, status: 300 })) === accepted.contents.length;
  const areSent = (): boolean => accepted.addresses.every((address) => smtp.to(address).length === 1);
  const areDelivered = (): boolean => accepted.texts.every((text) => receiver.texts.has(text));
  /** Expects that everything that was accepted has had its effect: webhooks, indexed contents, e-mails, files. */
  const settle = async (): Promise<void> => {
    await waitUntil(areDelivered, SETTLE_SECONDS);
    await waitUntil(isIndexed, SETTLE_SECONDS);
    await waitUntil(areSent, SETTLE_SECONDS).catch(async () => {
      const mails = await Mail.find({ to: { $in: accepted.addresses } }, { dueAt: 1, sentAt: 1, error: 1 }).lean();
      throw new Error(`not sent: ${JSON.stringify(mails)}`);
    });
    for (const [filename, bytes] of files) {
      const { status, text } = await download(filename);
      expect([status, text], filename).to.deep.equal([200, bytes.toString()]);
    }
  };
  await upload();
  return { makeAll, settle };
};

/** A project with calls. */
export type ProjectWithCalls = Awaited<ReturnType<typeof aProjectWithCalls>>;
