/** Endpoint → route: who asks, may they, is it well formed, do it, answer. In this order, for every endpoint. */
import type { Context } from 'koa';
import type { z } from 'zod';
import { testing } from '#shared/config.ts';
import { actFor } from '#shared/context.ts';
import { AppError } from '#shared/errors.ts';
import { predicateOf } from '#shared/sentences.ts';
import { type Actor, callerOf } from './actor.ts';
import { withoutEmpty, withoutEmptyValues } from './absent.ts';
import { admit, countForProject, countItems, identify } from './admit.ts';
import { Asked } from './asked.ts';
import { readBody } from './body.ts';
import { Download, type Endpoint, EventStream, Listing, routesOf } from './endpoint.ts';
import { bodyOf, invalid } from './errors.ts';
import { once } from './idempotency.ts';
import type { Routes } from './routes.ts';
import { type Answer, sendAnswer } from './send-answer.ts';
import { sendDownload } from './send-download.ts';
import { sendEvents } from './send-events.ts';
import { sendListing } from './send-listing.ts';
import { holdSlot } from './slots.ts';
import { type Upload, withUpload } from './upload.ts';
import { atVersion } from './versions.ts';

/** Absent names that the contract answers with 400 and a text of their own. */
const refuseMissing = (missing: Record<string, string>, ...inputs: unknown[]): void => {
  for (const [name, text] of Object.entries(missing)) {
    const given = inputs.some(
      (input) => !['', undefined, null].includes((input as Record<string, unknown>)?.[name] as string),
    );
    if (!given)
      throw new AppError(400, 'MISSING', text).with({
        body: { errors: [{ path: name, param: name, message: text, msg: text }] },
      });
  }
};

const parsed = (schema: z.ZodType | undefined, location: 'query' | 'body', input: unknown): unknown => {
  if (!schema) return {};
  const result = schema.safeParse(withoutEmpty(schema, input), { error: predicateOf });
  if (!result.success) throw invalid(result.error, location, input);
  return result.data;
};

/** In the suite every reply is held against its schema, so that no field leaks or is missing. */
const checkReply = ({ reply, method, path }: Endpoint, text: string): void => {
  const result = reply.safeParse(JSON.parse(text));
  if (!result.success) throw new Error(`${method} ${path} answers what it does not declare: ${result.error.message}`);
};

const versionOf = (reply: unknown): number | undefined => (reply as { __v?: number } | null)?.__v;

type Worked = Answer | EventStream | Download | Listing;

const answerOf = (endpoint: Endpoint, reply: unknown, next?: string | null): Answer => {
  const text = JSON.stringify(reply);
  if (testing) checkReply(endpoint, text);
  return { status: 200, reply: text, version: versionOf(reply), next };
};

const work = async (endpoint: Endpoint, call: Parameters<Endpoint['handle']>[0]): Promise<Worked> => {
  const reply = await endpoint.handle(call);
  if (reply instanceof EventStream || reply instanceof Download) return reply;
  if (!(reply instanceof Listing)) return answerOf(endpoint, reply);
  return Array.isArray(reply.items) ? answerOf(endpoint, reply.items, reply.next) : reply;
};

/** Send a list as it is read; in the suite each of its items is held against the schema. */
const sendList = async (endpoint: Endpoint, ctx: Context, { items, next }: Listing): Promise<void> => {
  if (next) ctx.set('X-Next-Cursor', next);
  const check = testing ? (item: string) => checkReply(endpoint, `[${item}]`) : () => undefined;
  await sendListing(ctx, items as AsyncIterable<unknown>, check);
};

/** An answer that may be given again under its key; what may pass (429, 5xx) is thrown on. */
const repeatable = async (answer: Promise<Worked>): Promise<Answer> => {
  try {
    const reply = await answer;
    if (!('reply' in reply)) throw new AppError(422, 'INVALID', 'Idempotency-Key goes with stream: false');
    return { status: reply.status, reply: reply.reply };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error;
    return { status: error.status, reply: JSON.stringify(bodyOf(error)) };
  }
};

/** A client that was cut off says in a header how far it came; fields beside a file count as the query's. An empty value is absent. */
const queryOf = ({ streams }: Endpoint, ctx: Context, upload?: Upload) => {
  const after = streams === 'only' ? ctx.get('last-event-id') : '';
  return withoutEmptyValues(after ? { ...ctx.query, after } : { ...ctx.query, ...upload?.fields });
};

/** A call that was admitted, with what came with it. */
interface Admitted {
  actor: Actor;
  project: string;
  raw: unknown;
  upload?: Upload;
}

const answer = async (endpoint: Endpoint, ctx: Context): Promise<void> => {
  const project = String(ctx.params.project_id ?? '');
  const who = { actor: await identify(ctx, endpoint.limit), ip: ctx.ip };
  const actor = await admit(who, endpoint, project);
  await countForProject(actor, project);
  actFor(actor);
  if (!endpoint.uploads)
    return answerTo(endpoint, ctx, { actor, project, raw: endpoint.body ? await readBody(ctx, endpoint.size) : {} });
  await withUpload(ctx, endpoint.uploads, (upload) =>
    answerTo(endpoint, ctx, { actor, project, raw: upload.hash, upload }),
  );
};

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** A stream without an end, or a wait for what has not happened yet. */
const isLong = ({ streams, waits }: Endpoint, query: unknown): boolean =>
  streams === 'only' || (waits === true && ((query as { wait?: number }).wait ?? 0) > 0);

const answerTo = async (endpoint: Endpoint, ctx: Context, { actor, project, raw, upload }: Admitted): Promise<void> => {
  if (endpoint.missing) refuseMissing(endpoint.missing, ctx.query, raw);
  const query = endpoint.query ? parsed(endpoint.query, 'query', queryOf(endpoint, ctx, upload)) : {};
  if (isLong(endpoint, query)) holdSlot(ctx, actor);
  const body = parsed(endpoint.body, 'body', raw);
  await countItems(ctx, { actor, project }, body);
  const call = new Asked(ctx, endpoint, { query, body, actor, project, upload });
  const working = () => atVersion(ctx, endpoint, () => work(endpoint, call));
  const key = ctx.method === 'POST' ? ctx.get('idempotency-key') : '';
  const whose = actor.id ? callerOf(actor) : ctx.ip;
  const sent = upload ? { file: raw, fields: Object.entries(upload.fields).toSorted(byName) } : raw;
  if (key) return replay(ctx, [whose, `POST ${ctx.url}`, key], { raw: sent, work: working });
  const reply = await working();
  if (reply instanceof EventStream) await sendEvents(ctx, reply);
  else if (reply instanceof Listing) await sendList(endpoint, ctx, reply);
  else if (reply instanceof Download) await sendDownload(ctx, reply, endpoint.downloads);
  else sendAnswer(ctx, reply, endpoint.keepFor);
};

const replay = async (ctx: Context, scope: string[], { raw, work }: { raw: unknown; work: () => Promise<Worked> }) => {
  const { replayed, ...reply } = await once(scope, raw, () => repeatable(work()));
  if (replayed) ctx.set('Idempotent-Replayed', 'true');
  sendAnswer(ctx, { ...reply, version: versionOf(JSON.parse(reply.reply)) });
};

/** Add every route of the endpoints, in their order. */
export const mount = (routes: Routes, endpoints: Endpoint[]): void => {
  for (const endpoint of endpoints) {
    for (const { method, path } of routesOf(endpoint))
      routes.add(method.toUpperCase(), path, (ctx) => answer(endpoint, ctx));
  }
};
