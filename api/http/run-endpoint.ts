/**
 * Runs an endpoint for a request: authenticates and authorizes the caller, reads and validates the input, calls the
 * handler, and sends the response.
 */
import type { Context } from 'koa';
import { createWorkLimit } from '#shared/concurrency/work-limit.ts';
import { config, isTesting } from '#shared/config.ts';
import { setCaller } from '#shared/context.ts';
import { type Actor, actorKey } from './auth/authenticate.ts';
import { authenticateRequest, authorize, reauthorize } from './auth/authorize.ts';
import { RequestAccess } from './auth/caller-access.ts';
import { countProjectPoints, countVisitorInput, countVisitorOutput } from './auth/count-calls.ts';
import { type Call, Download, type Endpoint, EventStream, FileContent, Listing, SocketUpgrade } from './endpoint.ts';
import { clientNetwork } from './limits/rate-limit.ts';
import { holdSocketSlot, holdStreamSlot, holdUploadSlot } from './limits/stream-slots.ts';
import type { Upload } from './request/accepted-upload.ts';
import { runOnce, streamNotStorable } from './request/idempotency.ts';
import { runAtVersions } from './request/if-match-header.ts';
import { assertParameters, parseInput, queryInput, readBody } from './request/input.ts';
import { withUpload } from './request/upload.ts';
import { convertInTurn, type JsonResponse, sendJsonResponse } from './response/send-json.ts';
import { sendDownload } from './response/send-download.ts';
import { sendFile } from './response/send-file.ts';
import { sendEvents } from './response/send-events.ts';
import { sendListing } from './response/send-listing.ts';
import { acceptUpgrade, assertUpgrade } from './socket-upgrades.ts';

/** Throws if a reply does not match its schema. Called only in the test suite, to find leaked and missing fields. */
const checkReply = ({ reply, method, path }: Endpoint, text: string): void => {
  const result = reply.safeParse(JSON.parse(text));
  if (!result.success)
    throw new Error(`${method} ${path} sent a reply that does not match its schema: ${result.error.message}`);
};

/** The validated input and the authorized actor of a call. */
interface CallInput {
  query: unknown;
  body: unknown;
  actor: Actor;
  project: string;
  upload?: Upload;
}

/**
 * The argument of a handler. A class, not an object literal: V8 keeps the getters of a literal, and with them the whole
 * request, in memory until the next full garbage collection.
 */
class CallContext implements Call<Record<string, string>, unknown, unknown> {
  readonly query: unknown;
  readonly body: unknown;
  readonly actor: Actor;
  readonly project: string;
  readonly upload?: Upload;
  readonly #ctx: Context;
  readonly #endpoint: Endpoint;

  constructor(ctx: Context, endpoint: Endpoint, { query, body, actor, project, upload }: CallInput) {
    this.query = query;
    this.body = body;
    this.actor = actor;
    this.project = project;
    this.upload = upload;
    this.#ctx = ctx;
    this.#endpoint = endpoint;
  }

  get params(): Record<string, string> {
    return this.#ctx.params;
  }

  get ip(): string {
    return this.#ctx.ip;
  }

  get userAgent(): string {
    return this.#ctx.get('user-agent');
  }

  /** Aborted when the client disconnects. Created on access, because most handlers do not use it. */
  get signal(): AbortSignal {
    const { res } = this.#ctx;
    const disconnected = new AbortController();
    res.once('close', () => {
      if (!res.writableFinished) disconnected.abort();
    });
    if (res.destroyed) disconnected.abort();
    return disconnected.signal;
  }

  get access(): RequestAccess {
    return new RequestAccess(this.#ctx);
  }

  get reauthorize(): () => Promise<Actor> {
    return () => reauthorize(this.#ctx, this.#endpoint, this.project);
  }
}

const recordVersion = (reply: unknown): number | undefined => (reply as { __v?: number } | null)?.__v;

/** Repeats the secret of a reply in the header that `secretHeader` names. */
const setSecretHeader = (ctx: Context, { secretHeader }: Endpoint, { reply }: JsonResponse): void => {
  if (secretHeader) ctx.set(secretHeader, (JSON.parse(reply) as { secret: string }).secret);
};

type SpecialResult = EventStream | SocketUpgrade | Download | FileContent;
type HandlerResult = JsonResponse | Listing | SpecialResult;

/** Whether a result is not sent as JSON. Has no loop, which would take 1.5% of the time of a small request. */
const isSpecial = (result: unknown): result is SpecialResult =>
  result instanceof EventStream ||
  result instanceof SocketUpgrade ||
  result instanceof Download ||
  result instanceof FileContent;

const runHandler = async (endpoint: Endpoint, call: Parameters<Endpoint['handle']>[0]): Promise<HandlerResult> => {
  const result = await endpoint.handle(call);
  if (isSpecial(result)) return result;
  if (result instanceof Listing && !Array.isArray(result.items)) return result;
  const { items: reply, nextCursor } = result instanceof Listing ? result : { items: result };
  const text = await convertInTurn(call.project || call.actor.id, () => JSON.stringify(reply));
  if (isTesting) checkReply(endpoint, text);
  return { status: endpoint.status ?? 200, reply: text, version: recordVersion(reply), nextCursor };
};

/** An authorized call with its unvalidated input. */
interface AuthorizedCall {
  actor: Actor;
  project: string;
  /** The unvalidated body; for an upload, the hash of the file, so that repeated calls can be compared. */
  raw: unknown;
  upload?: Upload;
}

const compareByName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** Whether the call is an endless stream or a long poll. */
const isLongRunning = ({ streams, waits }: Endpoint, query: unknown): boolean =>
  streams === 'only' || (waits === true && ((query as { wait?: number }).wait ?? 0) > 0);

/**
 * Whether calls to the endpoint do not count towards the project's limit on running calls. Streams, long polls, sockets
 * and uploads have limits per caller. Questions to a knowledge base, whose `streams` is a function, have no such limit:
 * they spend most of their time waiting for the chat model.
 */
const isUncounted = ({ streams, waits, sockets, uploads }: Endpoint): boolean =>
  Boolean(streams || waits || sockets || uploads);

const runUnlimited = <T>(_: string, work: () => Promise<T>): Promise<T> => work();

/** Limits the running calls of a project or, for paths without a project, those from the caller's network. */
export const runningCallsLimit = createWorkLimit(config.RUNNING_CALLS_PER_PROJECT);

const handleAuthorized = async (
  endpoint: Endpoint,
  ctx: Context,
  { actor, project, raw, upload }: AuthorizedCall,
): Promise<void> => {
  if (endpoint.missingParameterErrors) assertParameters(endpoint.missingParameterErrors, ctx.query, raw);
  const query = endpoint.query ? parseInput(endpoint.query, 'query', queryInput(endpoint, ctx, upload)) : {};
  if (isLongRunning(endpoint, query)) holdStreamSlot(ctx, actorKey(actor));
  if (endpoint.sockets) holdSocketSlot(ctx, actorKey(actor));
  const body = parseInput(endpoint.body, 'body', raw);
  await countVisitorInput(ctx, { actor, project }, body);
  const call = new CallContext(ctx, endpoint, { query, body, actor, project, upload });
  const runWithin = isUncounted(endpoint) ? runUnlimited : runningCallsLimit.run;
  const run = () => runWithin(project || clientNetwork(ctx.ip), () => runHandler(endpoint, call));
  const ifMatch = ctx.headers['if-match'];
  const runCall = () =>
    ifMatch === undefined ? run() : runAtVersions(ifMatch, { record: endpoint.record, params: ctx.params }, run);
  const key = ctx.method === 'POST' ? ctx.get('idempotency-key') : '';
  const idempotencyScope = actor.id ? actorKey(actor) : ctx.ip;
  const comparedBody = upload ? { file: raw, fields: Object.entries(upload.fields).toSorted(compareByName) } : raw;
  const keyedCall = { endpoint, raw: comparedBody, work: runCall };
  if (key && typeof endpoint.streams === 'function' && endpoint.streams(body)) throw streamNotStorable();
  if (key) return handleIdempotent(ctx, [idempotencyScope, `POST ${ctx.url}`, key], keyedCall);
  await sendResult(endpoint, { ctx, actor }, await runCall());
};

/** A visitor pays a point per downloaded MiB: 16 bytes count as one of the 65,536 characters that a point covers. */
const FILE_BYTES_PER_CHARACTER = 16;

/** Sends the result of a handler. The test suite validates each item of a list against the schema. */
const sendResult = async (
  endpoint: Endpoint,
  { ctx, actor }: { ctx: Context; actor: Actor },
  result: HandlerResult,
): Promise<void> => {
  if (result instanceof EventStream) return sendEvents(ctx, result);
  if (result instanceof SocketUpgrade) return acceptUpgrade(ctx, result);
  if (result instanceof Download) return sendDownload(ctx, result, endpoint.downloads ?? endpoint.alternative);
  if (result instanceof FileContent) {
    await sendFile(ctx, result);
    return countVisitorOutput(ctx, actor, result.size / FILE_BYTES_PER_CHARACTER);
  }
  const countOutput = (characters: number) => countVisitorOutput(ctx, actor, characters);
  const checkItem = isTesting ? (item: string) => checkReply(endpoint, `[${item}]`) : () => undefined;
  if (result instanceof Listing) return sendListing(ctx, result, { checkItem, onEnd: countOutput });
  setSecretHeader(ctx, endpoint, result);
  sendJsonResponse(ctx, result, endpoint.cacheSeconds);
  await countOutput(result.reply.length);
};

const handleIdempotent = async (
  ctx: Context,
  scope: string[],
  { endpoint, raw, work }: { endpoint: Endpoint; raw: unknown; work: () => Promise<HandlerResult> },
) => {
  const { replayed, ...response } = await runOnce(scope, raw, work);
  if (replayed) ctx.set('Idempotent-Replayed', 'true');
  setSecretHeader(ctx, endpoint, response);
  sendJsonResponse(ctx, { ...response, version: recordVersion(JSON.parse(response.reply)) });
};

/** Converts a form to a body, in which the field that `listField` names is a list of the file's non-empty lines. */
const listBody = async (listField: string, { fields, pieces }: Upload): Promise<Record<string, unknown>> => {
  const bytes: Buffer[] = [];
  for await (const piece of pieces()) bytes.push(piece);
  const lines = Buffer.concat(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n|\r/);
  return { ...fields, [listField]: lines.map((line) => line.trim()).filter(Boolean) };
};

/** Runs the endpoint and sends its response. */
export const runEndpoint = async (endpoint: Endpoint, ctx: Context): Promise<void> => {
  const project = String(ctx.params.project_id ?? '');
  const caller = { actor: await authenticateRequest(ctx, endpoint), ip: ctx.ip };
  const actor = await authorize(caller, endpoint, project);
  if (endpoint.sockets) assertUpgrade(ctx);
  await countProjectPoints(actor, project);
  setCaller(actor);
  const { listUpload } = endpoint;
  if (listUpload && ctx.is('multipart/form-data')) {
    holdUploadSlot(ctx, actor.id ? actorKey(actor) : undefined);
    return withUpload(ctx, { maxBytes: listUpload.maxBytes }, async (upload) =>
      handleAuthorized(endpoint, ctx, { actor, project, raw: await listBody(listUpload.listField, upload) }),
    );
  }
  if (!endpoint.uploads) {
    const raw = endpoint.body ? await readBody(ctx, endpoint.bodySize) : {};
    return handleAuthorized(endpoint, ctx, { actor, project, raw });
  }
  holdUploadSlot(ctx, actor.id ? actorKey(actor) : undefined);
  await withUpload(ctx, endpoint.uploads, (upload) =>
    handleAuthorized(endpoint, ctx, { actor, project, raw: upload.hash, upload }),
  );
};
