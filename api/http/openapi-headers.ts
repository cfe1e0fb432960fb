/** The headers of calls and answers, as the OpenAPI document tells of them. */
import { z } from 'zod';
import type { Endpoint, Method } from './endpoint.ts';

const text = (description: string, schema = z.string()) => schema.optional().meta({ description });

const KEY = {
  'Idempotency-Key': text('However often a call is sent with one key: one effect, one answer', z.string().max(255)),
};
const LAST_EVENT = { 'Last-Event-ID': text('The `id` of the last event that was received') };
const HELD = { 'If-None-Match': text('The `ETag` of the answer that the caller has: 304 where it still holds') };
const EXPECTED = {
  'If-Match': text(
    'Versions of the record, as `X-Record-Version` tells them (`3`, `"3"`, `W/"3"`; several with commas; `*`: any), ' +
      'at one of which it must be: 412 otherwise, and nothing is changed',
  ),
};
const VERSION = { 'X-Record-Version': text('The version of the record that is the answer: its `__v`') };
const NEXT = { 'X-Next-Cursor': text('`cursor` of the next page; absent at the end') };
const TAG = { ETag: text('Stands for this very answer') };

/** True for an answer that goes with a tag. */
export const isTagged = ({ streams, downloads }: Endpoint, method: Method): boolean =>
  method === 'get' && streams !== 'only' && !downloads;

const whole = (...parts: Record<string, z.ZodType>[]) => {
  const shape = Object.assign({}, ...parts) as Record<string, z.ZodType>;
  return Object.keys(shape).length ? z.object(shape) : undefined;
};

/** What a call may say in headers. */
export const askedIn = (endpoint: Endpoint, method: Method) =>
  whole(
    method === 'post' ? KEY : {},
    endpoint.streams === 'only' ? LAST_EVENT : {},
    endpoint.record && method !== 'get' ? EXPECTED : {},
    isTagged(endpoint, method) ? HELD : {},
  );

const isRecord = ({ reply }: Endpoint): boolean => '__v' in ((reply as { shape?: object }).shape ?? {});

/** What an answer says in headers. */
export const toldIn = (endpoint: Endpoint, method: Method) =>
  whole(isRecord(endpoint) ? VERSION : {}, endpoint.lists ? NEXT : {}, isTagged(endpoint, method) ? TAG : {});
