/** Generates the OpenAPI 3.1 document from the endpoint declarations. */
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { type Endpoint, type Method, routesOf } from '../endpoint.ts';
import { hasEtag, requestHeaders, responseHeaders } from './openapi-headers.ts';
import { PARAMETER_DESCRIPTIONS } from './parameter-descriptions.ts';
import { sectionOf, sections } from './sections.ts';

/** The message of an error; in errors about operating hours, an object with a number that deployed clients read. */
const ErrorText = z.union([z.string(), z.strictObject({ errorCode: z.number(), msg: z.string() })]);
const ErrorBody = z
  .object({ success: z.literal(false), error: ErrorText, msg: ErrorText, code: z.union([z.string(), z.number()]) })
  .loose()
  .meta({ id: 'Error', description: 'Body of every error: the message in `error` and `msg`, and a stable `code`' });

const COMMON_ERRORS: Record<number, string> = {
  400: 'Malformed request',
  401: 'Missing or invalid credentials',
  403: 'Not a member of the project, or the role is too low',
  404: 'No such record in this project',
  413: 'Body too large',
  415: 'Unsupported encoding or media type of the body',
  422: 'Invalid fields; `errors` names them',
  429: 'Too many requests; `Retry-After` gives the seconds to wait',
  500: 'Internal error',
  503: 'Temporarily unavailable; `Retry-After` gives the seconds to wait',
};

/** Endpoints with the role `none` check no role and lack this common error. They return 401 for invalid credentials. */
const ROLE_TOO_LOW_STATUS = '403';

const openapiPath = (route: string): string => route.replace(/:(\w+)/g, '{$1}');

const withDescription = (name: string, schema: z.ZodType): z.ZodType =>
  schema.meta()?.description || !PARAMETER_DESCRIPTIONS[name]
    ? schema
    : schema.meta({ description: PARAMETER_DESCRIPTIONS[name] });

const withDescriptions = (shape: Record<string, z.ZodType>) =>
  z.object(Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, withDescription(name, schema)])));

const pathParameters = (route: string) =>
  withDescriptions(Object.fromEntries([...route.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, z.string()])));
const operationId = (method: Method, route: string): string =>
  `${method}${route.replace(/[^a-z0-9]+(\w?)/gi, (_, letter: string) => letter.toUpperCase())}`;

const operationParameters = (endpoint: Endpoint, method: Method, route: string) => {
  const { query } = endpoint;
  const header = requestHeaders(endpoint, method);
  return {
    path: pathParameters(route),
    ...(query ? { query: withDescriptions((query as z.ZodObject<Record<string, z.ZodType>>).shape) } : {}),
    ...(header ? { header } : {}),
  };
};

const jsonContent = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } });

const BINARY_FILE = { type: 'string', format: 'binary' } as const;

/** The request body: JSON, or a file as the body or in a form. */
const requestBodyOf = (
  { body, uploads, listUpload }: Endpoint,
  method: Method,
): Pick<ZodOpenApiOperationObject, 'requestBody'> => {
  if (uploads) {
    const { type, field = 'uploadFile' } = uploads;
    const form = {
      'multipart/form-data': { schema: { type: 'object', properties: { [field]: BINARY_FILE } } },
    } as const;
    return { requestBody: { content: { ...(type ? { [type]: { schema: BINARY_FILE } } : {}), ...form } } };
  }
  if (body && listUpload)
    return {
      requestBody: {
        content: {
          ...jsonContent(body).content,
          'multipart/form-data': { schema: { type: 'object', properties: { uploadFile: BINARY_FILE } } },
        },
      },
    };
  return body && method !== 'get' ? { requestBody: jsonContent(body) } : {};
};

const responseContent = ({ reply, streams, downloads, alternative }: Endpoint) => ({
  ...(streams === 'only' || downloads ? {} : jsonContent(reply).content),
  ...(downloads ? { [downloads]: { schema: reply } } : {}),
  ...(alternative ? { [alternative]: { schema: { type: 'string' as const } } } : {}),
  ...(streams ? { 'text/event-stream': { schema: streams === 'only' ? reply : { type: 'string' as const } } } : {}),
});

const NOT_MODIFIED = { 304: { description: 'The `ETag` of the response is in `If-None-Match`; no body is sent' } };
const REPLY_UNREADABLE = { 409: 'The reply stored for the `Idempotency-Key` can no longer be read' };
const DISK_FULL = { 507: 'The server has no space left for files; nothing is stored' };
const PRECONDITION_FAILED = { 412: 'The record has none of the versions in `If-Match`; nothing is changed' };

/** The responses that most operations share. They are components of the document. */
const COMMON_ERROR_RESPONSES: Record<string, ZodOpenApiResponseObject> = Object.fromEntries(
  Object.entries(COMMON_ERRORS).map(([status, description]) => [
    status,
    { id: `Error${status}`, description, ...jsonContent(ErrorBody) },
  ]),
);

const operationResponses = (endpoint: Endpoint, method: Method) => {
  const { role, errors = {}, summary, record, uploads } = endpoint;
  const headers = responseHeaders(endpoint, method);
  const common = Object.entries(COMMON_ERRORS).filter(([status]) => role !== 'none' || status !== ROLE_TOO_LOW_STATUS);
  const own = Object.entries({
    ...(record && PRECONDITION_FAILED),
    ...(uploads && DISK_FULL),
    ...(method === 'post' && REPLY_UNREADABLE),
    ...errors,
  });
  return {
    [endpoint.status ?? 200]: {
      description: summary,
      content: responseContent(endpoint),
      ...(headers ? { headers } : {}),
    },
    ...(hasEtag(endpoint, method) ? NOT_MODIFIED : {}),
    ...Object.fromEntries(common.map(([status]) => [status, COMMON_ERROR_RESPONSES[status]])),
    ...Object.fromEntries(own.map(([status, description]) => [status, { description, ...jsonContent(ErrorBody) }])),
  };
};

const programsDescription = ({ programs }: Endpoint): string => {
  if (!programs) return '';
  return programs === 'all' ? ', or a bot or subscription of the project' : ', or a subscription of the project';
};

const describeOperation = (endpoint: Endpoint, method: Method, route: string): ZodOpenApiOperationObject => ({
  operationId: operationId(method, route),
  summary: endpoint.summary,
  description: `Minimum role: ${endpoint.role}${programsDescription(endpoint)}.`,
  tags: [sectionOf(route)],
  security: endpoint.role === 'none' ? [] : [{ basic: [] }, { jwt: [] }],
  requestParams: operationParameters(endpoint, method, route),
  ...requestBodyOf(endpoint, method),
  responses: operationResponses(endpoint, method),
});

/**
 * Generates the OpenAPI document. `url` is the base URL of this server; `introduction` is Markdown that precedes the
 * operations.
 */
export const generateOpenapi = (endpoints: Endpoint[], url: string, introduction = '') => {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of endpoints) {
    for (const { method, path } of routesOf(endpoint)) {
      const route = openapiPath(path);
      paths[route] = { ...paths[route], [method]: describeOperation(endpoint, method, path) };
    }
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Support chat', version: '3', description: introduction },
    servers: [{ url }],
    tags: sections,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        jwt: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`JWT <token>`, as returned by sign-in',
        },
      },
    },
    paths,
  });
};
