/** The frames of sockets: JSON objects `{action, payload}`. */
import { z } from 'zod';
import { Cursor } from '#shared/domain/events/cursors.ts';
import { INPUT_LIMITS } from '../../input-limits.ts';
import type { AppError } from '#shared/errors.ts';

const topic = z.string().max(INPUT_LIMITS.conversationId + INPUT_LIMITS.eventName);

/** The frames that clients send. */
export const ClientFrame = z.discriminatedUnion('action', [
  z.object({ action: z.literal('subscribe'), payload: z.object({ topic, after: Cursor.optional() }) }),
  z.object({ action: z.literal('unsubscribe'), payload: z.object({ topic }) }),
  z.object({
    action: z.literal('heartbeat'),
    payload: z.object({ message: z.object({ text: z.string().max(100) }) }),
  }),
  z.object({ action: z.literal('me') }),
]);

/** A frame that a client has sent. */
export type ClientFrame = z.output<typeof ClientFrame>;

/** Parses a frame of a client. Returns null for an unknown frame. */
export const parseFrame = (text: string): ClientFrame | null => {
  try {
    return ClientFrame.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

const Ping = z.strictObject({
  message: z.strictObject({ text: z.literal('ping') }),
  cursors: z
    .record(z.string(), z.string())
    .meta({ description: 'For each project, the cursor up to which every frame has been sent' }),
});
const Pong = z.strictObject({ message: z.strictObject({ text: z.literal('pong') }) });

/** The frames that the server sends, except those of topics (`topic-views.ts`). */
export const serverFrames = {
  heartbeat: z
    .strictObject({ action: z.literal('heartbeat'), payload: z.union([Ping, Pong]) })
    .meta({ description: 'A ping, which the client answers with `pong`, or the answer to a ping from the client' }),
  me: z
    .strictObject({ action: z.literal('me'), payload: z.strictObject({ id: z.string(), userId: z.string() }) })
    .meta({ description: 'The ids of the connection and of the caller' }),
  gap: z
    .strictObject({ action: z.literal('gap'), payload: z.strictObject({ topic: z.string(), cursor: z.string() }) })
    .meta({ description: 'Changes of a topic may be missing; its state follows as a CREATE frame' }),
  error: z
    .strictObject({
      action: z.literal('error'),
      payload: z
        .object({
          topic: z.string().optional(),
          code: z.string(),
          message: z.string(),
          retry_after: z.number().optional().meta({ description: 'Seconds' }),
        })
        .loose(),
    })
    .meta({ description: 'A frame of the client had no effect, or a topic has ended' }),
};

const frame = (action: string, payload: object): string => JSON.stringify({ action, payload });

/** A frame of a topic, with a changed record or, as initial state, a record, a list of the latest records, or null. */
export interface PublishedState {
  topic: string;
  method: 'CREATE' | 'UPDATE';
  /** The record, the list or null, as JSON. */
  json: string;
  cursor: string;
}

/** Returns a frame with the state of a topic or a change to it. `cursor` is the position in the changes log. */
export const publishFrame = ({ topic: text, method, json, cursor }: PublishedState): string =>
  `{"action":"publish","payload":{"topic":${JSON.stringify(text)},"method":"${method}","message":${json},"cursor":"${cursor}"}}`;

/** Returns a ping with, for each project, the cursor up to which every frame has been sent. */
export const pingFrame = (cursors: Record<string, string>): string =>
  frame('heartbeat', { message: { text: 'ping' }, cursors });

/** The answer to a client's ping. */
export const PONG_FRAME = frame('heartbeat', { message: { text: 'pong' } });

/** Returns a frame with the ids of the connection and the caller. */
export const meFrame = (id: string, userId: string): string => frame('me', { id, userId });

/** Returns a frame that reports a gap: changes of a topic may be missing. The state of the topic follows this frame. */
export const gapFrame = (text: string, cursor: string): string => frame('gap', { topic: text, cursor });

/** Returns a frame with the reason why a frame of the client had no effect, or why a topic has ended. */
export const errorFrame = ({ code, message, body }: AppError, text?: string): string =>
  frame('error', { ...(text === undefined ? {} : { topic: text }), code, message, ...body });
