import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { sendJson } from './head.ts';

/** An answer in JSON; `version` where it is one record of which versions are kept. */
export interface Answer {
  status: number;
  reply: string;
  version?: number;
  /** The cursor of the next page of a list. */
  next?: string | null;
}

const holds = (ctx: Context, tag: string): boolean =>
  ctx
    .get('if-none-match')
    .split(',')
    .some((held) => ['*', tag].includes(held.trim().replace(/^W\//, '')));

/** 304 where the caller has this very answer. */
const sendTagged = (ctx: Context, status: number, reply: string): void => {
  const tag = `"${hash('sha256', reply, 'base64url')}"`;
  ctx.set('ETag', tag);
  if (holds(ctx, tag)) ctx.status = 304;
  else sendJson(ctx, status, reply);
};

/** Send an answer: with the version of its record, and on a read with a tag by which it need not be sent again (decision 43). */
export const sendAnswer = (ctx: Context, { status, reply, version, next }: Answer, keepFor?: number): void => {
  ctx.set('Cache-Control', keepFor ? `private, max-age=${keepFor}` : 'private, no-cache');
  if (next) ctx.set('X-Next-Cursor', next);
  if (version !== undefined) ctx.set('X-Record-Version', String(version));
  if (ctx.method === 'GET' || ctx.method === 'HEAD') sendTagged(ctx, status, reply);
  else sendJson(ctx, status, reply);
};
