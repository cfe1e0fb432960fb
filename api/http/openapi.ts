/** Endpoints → OpenAPI 3.1, the only description of the API. */
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type Endpoint, type Method, routesOf } from './endpoint.ts';
import { askedIn, isTagged, toldIn } from './openapi-headers.ts';
import { PARAMETERS } from './parameters.ts';

/** Operating hours tell what is wrong with them by a number too (contract a 8.5). */
const Told = z.union([z.string(), z.strictObject({ errorCode: z.number(), msg: z.string() })]);
const ErrorBody = z
  .object({ success: z.literal(false), error: Told, msg: Told, code: z.union([z.string(), z.number()]) })
  .loose()
  .meta({ id: 'Error', description: 'Every error: text in `error` and `msg`, a stable `code`' });

const COMMON: Record<number, string> = {
  400: 'Malformed call',
  401: 'No valid credentials',
  403: 'No member of the project, or the role is too low',
  404: 'No such record in this project',
  413: 'Body too large',
  415: 'Encoding of the body not supported',
  422: 'A field is invalid; `errors` names it',
  429: 'Too many requests; `Retry-After` says when to try again',
  500: 'Internal error',
  503: 'A part of the system is away; `Retry-After`',
};

/** What only the guards of an endpoint answer; a token that is not in force is refused (401) everywhere (decision 7). */
const GUARDED = new Set(['403']);

const pathOf = (route: string): string => route.replace(/:(\w+)/g, '{$1}');

const described = (name: string, schema: z.ZodType): z.ZodType =>
  schema.meta()?.description || !PARAMETERS[name] ? schema : schema.meta({ description: PARAMETERS[name] });

const describedAll = (shape: Record<string, z.ZodType>) =>
  z.object(Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, described(name, schema)])));

const paramsOf = (route: string) =>
  describedAll(Object.fromEntries([...route.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.string()])));
const nameOf = (method: Method, route: string): string =>
  `${method}${route.replace(/[^a-z0-9]+(\w?)/gi, (_, letter: string) => letter.toUpperCase())}`;
const tagOf = (route: string): string =>
  route.split('/').filter((part) => part && !part.startsWith(':'))[1] ?? 'system';

const parametersOf = (endpoint: Endpoint, method: Method, route: string) => {
  const { query } = endpoint;
  const header = askedIn(endpoint, method);
  return {
    path: paramsOf(route),
    ...(query ? { query: describedAll((query as z.ZodObject<Record<string, z.ZodType>>).shape) } : {}),
    ...(header ? { header } : {}),
  };
};

const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });

const FILE = { type: 'string', format: 'binary' } as const;

/** A body as JSON, or a file: by itself or in a form. */
const bodyOf = ({ body, uploads }: Endpoint, method: Method): Pick<ZodOpenApiOperationObject, 'requestBody'> => {
  const form = { 'multipart/form-data': { schema: { type: 'object', properties: { uploadFile: FILE } } } } as const;
  if (uploads) return { requestBody: { content: { [uploads.type]: { schema: FILE }, ...form } } };
  return body && method !== 'get' ? { requestBody: json(body) } : {};
};

const contentOf = ({ reply, streams, downloads }: Endpoint) => ({
  ...(streams === 'only' || downloads ? {} : json(reply).content),
  ...(downloads ? { [downloads]: { schema: reply } } : {}),
  ...(streams ? { 'text/event-stream': { schema: streams === 'only' ? reply : { type: 'string' as const } } } : {}),
});

const HELD = { 304: { description: 'The answer is still the one that `If-None-Match` names' } };
const OTHER_VERSION = { 412: 'The record is of another version than `If-Match` names; nothing is changed' };

const repliesOf = (endpoint: Endpoint, method: Method) => {
  const { role, errors = {}, summary, record } = endpoint;
  const headers = toldIn(endpoint, method);
  const common = Object.entries(COMMON).filter(([status]) => role !== 'none' || !GUARDED.has(status));
  const failures = Object.entries({ ...Object.fromEntries(common), ...(record && OTHER_VERSION), ...errors });
  const refusals = failures.map(([status, description]) => [status, { description, ...json(ErrorBody) }]);
  return {
    200: { description: summary, content: contentOf(endpoint), ...(headers ? { headers } : {}) },
    ...(isTagged(endpoint, method) ? HELD : {}),
    ...Object.fromEntries(refusals),
  };
};

const programsOf = ({ bots }: Endpoint): string => {
  if (!bots) return '';
  return bots === true ? ', or a bot or subscription of the project' : ', or a subscription of the project';
};

const operationOf = (endpoint: Endpoint, method: Method, route: string): ZodOpenApiOperationObject => ({
  operationId: nameOf(method, route),
  summary: endpoint.summary,
  description: `Least role: ${endpoint.role}${programsOf(endpoint)}.`,
  tags: [tagOf(route)],
  security: endpoint.role === 'none' ? [] : [{ basic: [] }, { jwt: [] }],
  requestParams: parametersOf(endpoint, method, route),
  ...bodyOf(endpoint, method),
  responses: repliesOf(endpoint, method),
});

const TITLE = 'REST API of a customer-support chat platform';

/** The whole document; `about` is what is to be known beside the endpoints, as Markdown. */
export const openapi = (endpoints: Endpoint[], url: string, about = '') => {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    for (const { method, path } of routesOf(endpoint)) {
      const route = pathOf(path);
      paths[route] = { ...paths[route], [method]: operationOf(endpoint, method, path) };
    }
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Support chat', version: '3', description: `${TITLE}\n${about}` },
    servers: [{ url }],
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        jwt: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`JWT <token>` as sign-in answers it',
        },
      },
    },
    paths,
  });
};
