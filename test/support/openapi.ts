/** Checks responses against the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { generateOpenapi } from '../../api/http/docs/openapi.ts';
import { endpoints } from '../../api/resources.ts';

type Json = Record<string, unknown>;

/** The document that `/v3/openapi.json` serves. */
export const openapiDocument = generateOpenapi(endpoints, '/') as unknown as {
  paths: Record<string, Record<string, Json>>;
  [more: string]: unknown;
};

// Most validators run only a few times, so optimizing their code takes longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } }).addSchema(
  openapiDocument,
  'openapi',
);
addFormats.default(ajv);
const validators = new Map<string, ValidateFunction>();

const pointer = (...parts: string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** Responses with the same named schema, such as errors, share a validator: compiling one takes milliseconds. */
const validatorOf = (route: string, method: string, status: number): ValidateFunction => {
  const responses = openapiDocument.paths[route]?.[method]?.responses as Record<string, { $ref?: string }>;
  const shared = responses[status]?.$ref?.split('/').slice(1);
  const response = shared ?? ['paths', route, method, 'responses', String(status)];
  const path = [...response, 'content', 'application/json', 'schema'];
  const schema = path.reduce<unknown>((part, name) => (part as Json | undefined)?.[name], openapiDocument) as Json;
  const $ref = `openapi${typeof schema?.$ref === 'string' ? schema.$ref : `#${pointer(...path)}`}`;
  const known = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, known);
  return known;
};

const countParameters = (route: string): number => route.split('{').length;

/** Paths with the fewest parameters first, since the router prefers them. */
const patterns = Object.keys(openapiDocument.paths)
  .toSorted((one, other) => countParameters(one) - countParameters(other))
  .map((route) => ({ route, pattern: new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}/?$`) }));

const patternsByMethod = new Map(
  ['get', 'post', 'put', 'patch', 'delete'].map((method) => [
    method,
    patterns.filter(({ route }) => openapiDocument.paths[route]?.[method]),
  ]),
);

let lastLookup: { key: string; route: string | undefined } | undefined;

/** Returns the route of a call. Keeps the last result, because it is needed twice for each call. */
const routeOf = (method: string, path: string): string | undefined => {
  const key = `${method} ${path}`;
  if (lastLookup?.key === key) return lastLookup.route;
  const found = patternsByMethod.get(method)?.find(({ pattern }) => pattern.test(path));
  lastLookup = { key, route: found?.route };
  return lastLookup.route;
};

/** Whether the endpoint responds with server-sent events, a stream without an end. */
export const isEndlessResponse = (method: string, path: string): boolean => {
  const operation = method.toLowerCase();
  const route = routeOf(operation, path);
  const replies = route
    ? (openapiDocument.paths[route]?.[operation]?.responses as Record<string, { content: Json }>)
    : {};
  const types = Object.keys(replies[200]?.content ?? {});
  return types.length === 1 && types[0] === 'text/event-stream';
};

/** Throws if the OpenAPI document does not declare the status of a response or the body does not match its schema. */
export const checkAgainstOpenapi = (
  method: string,
  path: string,
  { status, body }: { status: number; body: unknown },
): void => {
  const operation = method.toLowerCase();
  const route = routeOf(operation, path);
  if (!route) return;
  const responses = openapiDocument.paths[route]?.[operation]?.responses as Json;
  if (!responses[status])
    throw new Error(`${method} ${route} answered ${status}, which the OpenAPI document does not declare`);
  const validate = validatorOf(route, operation, status);
  if (!validate(body)) throw new Error(`${method} ${route} ${status}: ${ajv.errorsText(validate.errors)}`);
};
