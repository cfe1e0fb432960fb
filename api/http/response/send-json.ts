/**
 * Converts replies to JSON, and sends them with their caching, paging and version headers.
 *
 * Projects share the event loop: in one turn of the loop, at most about 64 KB of a project's replies are converted. The
 * other replies of the project wait for later turns. A project with many large replies therefore delays the replies of
 * other projects by only one reply per turn.
 */
import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { bodyInPieces } from './generated-body.ts';

/** Enough for several small replies: a turn takes longer than converting them, so one per turn would be too slow. */
const CHARACTERS_PER_TURN = 65_536;

/** The number of characters converted for each project in this turn. */
const usedInTurn = new Map<string, number>();
/** The replies of each project that wait for a turn, oldest first. */
const waiting = new Map<string, (() => void)[]>();

const scheduleTurn = (): void => {
  if (usedInTurn.size + waiting.size === 0) setImmediate(startTurn);
};

/** Starts a turn: for each project, the reply that has waited longest continues. */
const startTurn = (): void => {
  usedInTurn.clear();
  for (const [project, replies] of waiting) {
    usedInTurn.set(project, 0);
    replies.shift()?.();
    if (!replies.length) waiting.delete(project);
  }
  if (usedInTurn.size) setImmediate(startTurn);
};

const waitForTurn = (project: string): Promise<void> =>
  new Promise((resolve) => {
    const replies = waiting.get(project);
    if (replies) replies.push(resolve);
    else waiting.set(project, [resolve]);
  });

const convertNow = (project: string, convert: () => string): string => {
  const text = convert();
  scheduleTurn();
  usedInTurn.set(project, (usedInTurn.get(project) ?? 0) + text.length);
  return text;
};

/** Converts a reply of the project to JSON, in this turn of the loop or, with a promise, in a later one. */
export const convertInTurn = (project: string, convert: () => string): string | Promise<string> => {
  if (!waiting.has(project) && (usedInTurn.get(project) ?? 0) < CHARACTERS_PER_TURN)
    return convertNow(project, convert);
  return waitForTurn(project).then(() => convertNow(project, convert));
};

/** A JSON response. */
export interface JsonResponse {
  status: number;
  /** The body as a JSON string. */
  reply: string;
  /** The version (`__v`) of the record, if the response is one versioned record. */
  version?: number;
  /** The cursor of the next page of a list. */
  nextCursor?: string | null;
}

/**
 * Bodies of this length or more are sent in pieces, so that the check for stalled responses sees the progress of a slow
 * client.
 */
const LARGE_BODY_CHARACTERS = 65_536;

const sendText = (ctx: Context, status: number, text: string): void => {
  ctx.status = status;
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  if (text.length < LARGE_BODY_CHARACTERS) {
    ctx.body = text;
    return;
  }
  const bytes = Buffer.from(text);
  ctx.body = bodyInPieces(bytes);
  ctx.length = bytes.length;
};

/** Whether `If-None-Match` contains the ETag. */
export const matchesEtag = (ctx: Context, etag: string): boolean =>
  ctx
    .get('if-none-match')
    .split(',')
    .some((value) => ['*', etag].includes(value.trim().replace(/^W\//, '')));

/** Sends the reply with its ETag, or 304 if `If-None-Match` contains the ETag. */
const sendWithEtag = (ctx: Context, status: number, reply: string): void => {
  const etag = `"${hash('sha256', reply, 'base64url')}"`;
  ctx.set('ETag', etag);
  if (matchesEtag(ctx, etag)) ctx.status = 304;
  else sendText(ctx, status, reply);
};

/** Sends a JSON response, with an ETag for GET and HEAD. `cacheSeconds` is the `max-age` in private caches. */
export const sendJsonResponse = (
  ctx: Context,
  { status, reply, version, nextCursor }: JsonResponse,
  cacheSeconds?: number,
): void => {
  ctx.set('Cache-Control', cacheSeconds ? `private, max-age=${cacheSeconds}` : 'private, no-cache');
  if (nextCursor) ctx.set('X-Next-Cursor', nextCursor);
  if (version !== undefined) ctx.set('X-Record-Version', String(version));
  if (ctx.method === 'GET' || ctx.method === 'HEAD') sendWithEtag(ctx, status, reply);
  else sendText(ctx, status, reply);
};
