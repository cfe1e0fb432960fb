/**
 * Runs an endpoint for a request: authenticate, authorize, read and validate the input, call the handler, send the
 * response.
 */
import type { Context } from 'koa';
import type { z } from 'zod';
import { isTesting } from '#shared/config.ts';
import { setActor } from '#shared/context.ts';
import { AppError } from '#shared/errors.ts';
import { predicateOf } from '#shared/wire/validation-messages.ts';
import { type Actor, actorKey } from './auth/actor.ts';
import {
  authenticateRequest,
  authorize,
  countProjectPoints,
  countVisitorInput,
  countVisitorOutput,
} from './auth/authorize.ts';
import { Download, type Endpoint, EventStream, FileContent, Listing } from './endpoint.ts';
import { convertInTurn } from './limits/project-turns.ts';
import { holdStreamSlot, holdUploadSlot } from './limits/stream-slots.ts';
import { readBody } from './request/body.ts';
import { CallContext } from './request/call-context.ts';
import { omitEmptyFields, omitEmptyParameters } from './request/empty-values.ts';
import { runOnce } from './request/idempotency.ts';
import { withIfMatch } from './request/if-match-header.ts';
import { type Upload, withUpload } from './request/upload.ts';
import { errorBody, validationError } from './response/errors.ts';
import { type JsonResponse, sendJsonResponse } from './response/send-json.ts';
import { sendDownload } from './response/send-download.ts';
import { sendFile } from './response/send-file.ts';
import { sendEvents } from './response/send-events.ts';
import { sendListing } from './response/send-listing.ts';

/** Throws 400 PARAMETER_MISSING for a required parameter that no input has; `messages` are by parameter. */
const assertParameters = (messages: Record<string, string>, ...inputs: unknown[]): void => {
  for (const [name, text] of Object.entries(messages)) {
    const isPresent = inputs.some(
      (input) => !['', undefined, null].includes((input as Record<string, unknown>)?.[name] as string),
    );
    if (!isPresent)
      throw new AppError(400, 'PARAMETER_MISSING', text).with({
        body: { errors: [{ path: name, param: name, message: text, msg: text }] },
      });
  }
};

const parseInput = (schema: z.ZodType | undefined, location: 'query' | 'body', input: unknown): unknown => {
  if (!schema) return {};
  const result = schema.safeParse(omitEmptyFields(schema, input), { error: predicateOf });
  if (!result.success) throw validationError(result.error, location, input);
  return result.data;
};

/** Throws if a reply does not match its schema. Called only in the test suite, to find leaked and missing fields. */
const checkReply = ({ reply, method, path }: Endpoint, text: string): void => {
  const result = reply.safeParse(JSON.parse(text));
  if (!result.success)
    throw new Error(`${method} ${path} sent a reply that does not match its schema: ${result.error.message}`);
};

const recordVersion = (reply: unknown): number | undefined => (reply as { __v?: number } | null)?.__v;

type HandlerResult = JsonResponse | EventStream | Download | Listing | FileContent;

const runHandler = async (endpoint: Endpoint, call: Parameters<Endpoint['handle']>[0]): Promise<HandlerResult> => {
  const result = await endpoint.handle(call);
  if (result instanceof EventStream || result instanceof Download || result instanceof FileContent) return result;
  if (result instanceof Listing && !Array.isArray(result.items)) return result;
  const { items: reply, nextCursor } = result instanceof Listing ? result : { items: result };
  const text = await convertInTurn(call.project || call.actor.id, () => JSON.stringify(reply));
  if (isTesting) checkReply(endpoint, text);
  return { status: endpoint.status ?? 200, reply: text, version: recordVersion(reply), nextCursor };
};

/**
 * Returns the response to store with an idempotency key, also for an error. Temporary errors (429, 5xx) are rethrown: a
 * retry may succeed.
 */
const toReplayable = async (pendingResult: Promise<HandlerResult>): Promise<JsonResponse> => {
  try {
    const result = await pendingResult;
    if (!('reply' in result))
      throw new AppError(422, 'INVALID', 'Idempotency-Key cannot be combined with `stream: true`');
    return { status: result.status, reply: result.reply };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error;
    return { status: error.status, reply: JSON.stringify(errorBody(error)) };
  }
};

/** Returns the non-empty query parameters, with `Last-Event-ID` as `after` and the form fields of an upload. */
const queryInput = ({ streams }: Endpoint, ctx: Context, upload?: Upload) => {
  const after = streams === 'only' ? ctx.get('last-event-id') : '';
  return omitEmptyParameters(after ? { ...ctx.query, after } : { ...ctx.query, ...upload?.fields });
};

/** An authorized call with its unparsed input. */
interface AuthorizedCall {
  actor: Actor;
  project: string;
  raw: unknown;
  upload?: Upload;
}

const compareByName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** Whether the call is an endless stream or a long poll. */
const isLongRunning = ({ streams, waits }: Endpoint, query: unknown): boolean =>
  streams === 'only' || (waits === true && ((query as { wait?: number }).wait ?? 0) > 0);

const handleAuthorized = async (
  endpoint: Endpoint,
  ctx: Context,
  { actor, project, raw, upload }: AuthorizedCall,
): Promise<void> => {
  if (endpoint.missingParameterErrors) assertParameters(endpoint.missingParameterErrors, ctx.query, raw);
  const query = endpoint.query ? parseInput(endpoint.query, 'query', queryInput(endpoint, ctx, upload)) : {};
  if (isLongRunning(endpoint, query)) holdStreamSlot(ctx, actorKey(actor));
  const body = parseInput(endpoint.body, 'body', raw);
  await countVisitorInput(ctx, { actor, project }, body);
  const call = new CallContext(ctx, endpoint, { query, body, actor, project, upload });
  const runCall = () => withIfMatch(ctx, endpoint, () => runHandler(endpoint, call));
  const key = ctx.method === 'POST' ? ctx.get('idempotency-key') : '';
  const idempotencyScope = actor.id ? actorKey(actor) : ctx.ip;
  const comparedBody = upload ? { file: raw, fields: Object.entries(upload.fields).toSorted(compareByName) } : raw;
  if (key)
    return handleIdempotent(ctx, [idempotencyScope, `POST ${ctx.url}`, key], { raw: comparedBody, work: runCall });
  await sendResult(endpoint, { ctx, actor }, await runCall());
};

/** Files cost a visitor less than texts: a point per MiB. */
const FILE_BYTES_PER_CHARACTER = 16;

/** Sends the result of a handler. The test suite validates each item of a list against the schema. */
const sendResult = async (
  endpoint: Endpoint,
  { ctx, actor }: { ctx: Context; actor: Actor },
  result: HandlerResult,
): Promise<void> => {
  if (result instanceof EventStream) return sendEvents(ctx, result);
  if (result instanceof Download) return sendDownload(ctx, result, endpoint.downloads);
  if (result instanceof FileContent) {
    await sendFile(ctx, result);
    return countVisitorOutput(ctx, actor, result.size / FILE_BYTES_PER_CHARACTER);
  }
  const countOutput = (characters: number) => countVisitorOutput(ctx, actor, characters);
  const checkItem = isTesting ? (item: string) => checkReply(endpoint, `[${item}]`) : () => undefined;
  if (result instanceof Listing) return sendListing(ctx, result, { checkItem, onEnd: countOutput });
  sendJsonResponse(ctx, result, endpoint.cacheSeconds);
  await countOutput(result.reply.length);
};

const handleIdempotent = async (
  ctx: Context,
  scope: string[],
  { raw, work }: { raw: unknown; work: () => Promise<HandlerResult> },
) => {
  const { replayed, ...response } = await runOnce(scope, raw, () => toReplayable(work()));
  if (replayed) ctx.set('Idempotent-Replayed', 'true');
  sendJsonResponse(ctx, { ...response, version: recordVersion(JSON.parse(response.reply)) });
};

/** Runs the endpoint and sends its response. */
export const runEndpoint = async (endpoint: Endpoint, ctx: Context): Promise<void> => {
  const project = String(ctx.params.project_id ?? '');
  const caller = { actor: await authenticateRequest(ctx, endpoint), ip: ctx.ip };
  const actor = await authorize(caller, endpoint, project);
  await countProjectPoints(actor, project);
  setActor(actor);
  if (!endpoint.uploads)
    return handleAuthorized(endpoint, ctx, {
      actor,
      project,
      raw: endpoint.body ? await readBody(ctx, endpoint.bodySize) : {},
    });
  holdUploadSlot(ctx, actor.id ? actorKey(actor) : undefined);
  await withUpload(ctx, endpoint.uploads, (upload) =>
    handleAuthorized(endpoint, ctx, { actor, project, raw: upload.hash, upload }),
  );
};
