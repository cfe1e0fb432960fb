/** The request and response headers in the OpenAPI document. */
import { z } from 'zod';
import type { Endpoint, Method } from '../endpoint.ts';

const headerSchema = (description: string, schema = z.string()) => schema.optional().meta({ description });

const IDEMPOTENCY_KEY = {
  'Idempotency-Key': headerSchema(
    'Makes the request safe to repeat: requests with the same key take effect once and receive the same response',
    z.string().max(255),
  ),
};
const LAST_EVENT_ID = { 'Last-Event-ID': headerSchema('The `id` of the last received event') };
const IF_NONE_MATCH = {
  'If-None-Match': headerSchema('The `ETag` of a cached response; the status is 304 if the response is unchanged'),
};
const IF_MATCH = {
  'If-Match': headerSchema(
    'Expected versions of the record (see `X-Record-Version`), such as `3`, `"3"` or `W/"3"`, separated by commas, ' +
      'or `*` for any. If the record has none of them, the response is 412 and nothing is changed',
  ),
};
const RECORD_VERSION = { 'X-Record-Version': headerSchema('The version (`__v`) of the returned record') };
const NEXT_CURSOR = { 'X-Next-Cursor': headerSchema('`cursor` of the next page; absent on the last page') };
const ETAG = { ETag: headerSchema('Identifies this version of the response') };

/** Whether responses of the endpoint have an ETag. */
export const hasEtag = ({ streams, downloads }: Endpoint, method: Method): boolean =>
  method === 'get' && streams !== 'only' && !downloads;

const headersSchema = (...parts: Record<string, z.ZodType>[]) => {
  const shape = Object.assign({}, ...parts) as Record<string, z.ZodType>;
  return Object.keys(shape).length ? z.object(shape) : undefined;
};

/** Schema of the request headers of an endpoint. */
export const requestHeaders = (endpoint: Endpoint, method: Method) =>
  headersSchema(
    method === 'post' ? IDEMPOTENCY_KEY : {},
    endpoint.streams === 'only' ? LAST_EVENT_ID : {},
    endpoint.record && method !== 'get' ? IF_MATCH : {},
    hasEtag(endpoint, method) ? IF_NONE_MATCH : {},
  );

const repliesWithRecord = ({ reply }: Endpoint): boolean => '__v' in ((reply as { shape?: object }).shape ?? {});

/** Schema of the response headers of an endpoint. */
export const responseHeaders = (endpoint: Endpoint, method: Method) =>
  headersSchema(
    repliesWithRecord(endpoint) ? RECORD_VERSION : {},
    endpoint.lists ? NEXT_CURSOR : {},
    hasEtag(endpoint, method) ? ETAG : {},
  );
