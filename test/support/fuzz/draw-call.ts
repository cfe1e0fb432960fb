/** Random calls to an endpoint, valid and invalid, derived from its declaration. */
import { type Endpoint, routesOf } from '../../../api/http/endpoint.ts';
import { isId } from '#shared/wire/view.ts';
import type { Caller } from '../api.ts';
import { callWith, type IdSource, type RecordIds } from '../foreign-calls.ts';
import { idFields, scalarFields } from '../id-fields.ts';
import { PASSWORD, type Person } from '../people.ts';
import { type JsonSchema, withText } from '../schema-samples.ts';
import { multipart, type SentFile } from '../uploads.ts';
import { schemaOf, UNKNOWN_ID } from '../valid-call.ts';
import { type Draw, pick } from './draw.ts';
import * as hostile from './hostile-values.ts';
import { drawValue } from './schema-values.ts';

/** The callers that make the calls, and the ids that the calls contain. */
export interface CallSources {
  project: string;
  /** The caller with the role that the endpoint requires; it makes most of the calls. */
  entitled: Caller;
  /** Other callers, with and without rights in the project; some are anonymous or have invalid tokens. */
  others: readonly (Caller | undefined)[];
  own: Partial<RecordIds>;
  /** The other project and its records. */
  foreign: { project: string; ids: RecordIds };
  /** The path of a stored file, for endpoints with the parameter `path`. */
  filePath?: string;
}

/** A call as it is sent. */
export interface FuzzCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** Whether the endpoint lets everybody, or instance administrators, read or change any project. */
const servesEveryProject = ({ role }: Endpoint): boolean => role === 'none' || role === 'instance-admin';

const idSource = (endpoint: Endpoint, { own, foreign }: CallSources, draw: Draw): IdSource => {
  const share = draw();
  return (kind) => {
    if (share < 0.6) return own[kind] ?? UNKNOWN_ID;
    return share < 0.8 && !servesEveryProject(endpoint) ? foreign.ids[kind] : UNKNOWN_ID;
  };
};

/**
 * Replaces a segment of the path with a hostile text, but not the API version (`v3`), a project id that follows it, or
 * the resource, because most paths would then match no route. If the path has no further segments, one is added.
 */
const withHostileSegment = (path: string, draw: Draw): string => {
  const segments = path.split('/');
  const text = pick(draw, [...hostile.HOSTILE_TEXTS, 'x'.repeat(3000)]);
  const first = Math.min(isId(segments[2]) ? 4 : 3, segments.length);
  const index = first + Math.floor(draw() * Math.max(1, segments.length - first));
  segments[index] = draw() < 0.2 && /^[!-~]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
  return segments.join('/');
};

/** Values of parameters in the path that are not ids of records. */
const PATH_VALUES: Record<string, readonly string[]> = {
  lang: ['EN', 'IT'],
  language: ['en', 'it'],
  type: ['requests', 'messages', 'tokens', 'email', 'conversation-tag'],
  key: ['ticket', 'newMessage', 'assignedRequest'],
  code: ['s_invite_bot_01', 's_checkout_page_01'],
};

/** Replaces the parameters of the path that are not ids of records with values that they may have. */
const withPathValues = (path: string, { entitled }: CallSources, draw: Draw): string =>
  path.replace(/:(\w+)/g, (parameter, name: string) => {
    if (name === 'userid') return entitled.id;
    const values = PATH_VALUES[name];
    return values ? pick(draw, values) : parameter;
  });

/**
 * Values that are valid for the caller only, such as the email and password for a sign-in, by the name of their field.
 */
const ownValues = ({ entitled, filePath }: CallSources): Record<string, string> => ({
  email: (entitled as Person).email,
  ...{ password: PASSWORD, oldpsw: PASSWORD },
  ...(filePath && { path: filePath }),
});

/** The caller's own values for the fields that the schema has. */
const ownValuesOf = ({ properties = {} }: JsonSchema, { own }: ValidCall): [string, string][] =>
  Object.entries(own).filter(([name]) => Object.hasOwn(properties, name));

/** The parts of a valid call, and the ids that it uses. */
interface ValidCall {
  query: URLSearchParams;
  body: unknown;
  idOf: IdSource;
  own: ReturnType<typeof ownValues>;
}

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Whether the input has a value at the path; `0` stands for the items of a list. */
const hasField = (input: unknown, [first, ...rest]: string[]): boolean => {
  if (first === undefined) return true;
  if (first === '0') return Array.isArray(input) && input.length > 0 && hasField(input[0], rest);
  return Object.hasOwn(Object(input), first) && hasField((input as Record<string, unknown>)[first], rest);
};

/** Replaces the ids of records in a drawn input with ids from `idOf`, most of which are ids of existing records. */
const withIds = (drawn: unknown, ids: ReturnType<typeof idFields>, idOf: IdSource): unknown =>
  ids.reduce(
    (value, { field, kind }) =>
      hasField(value, field) ? withText(value, field, idOf(kind, field.at(-1) ?? '')) : value,
    drawn,
  );

const fieldsBySchema = new WeakMap<JsonSchema, string[][]>();

/** The fields of a body that may get hostile values: its scalar values, and its top-level properties. */
const replaceableFields = (json: JsonSchema): string[][] => {
  const fields = fieldsBySchema.get(json) ?? [
    ...scalarFields(json),
    ...Object.keys(json.properties ?? {}).map((name) => [name]),
  ];
  fieldsBySchema.set(json, fields);
  return fields;
};

const drawQuery = (endpoint: Endpoint, call: ValidCall, draw: Draw): string => {
  const { query: valid, idOf } = call;
  const schema = schemaOf(endpoint.query);
  const drawn = withIds(endpoint.query ? drawValue(schema, draw) : {}, idFields(endpoint, 'query'), idOf);
  for (const [name, value] of Object.entries(drawn as object)) if (draw() < 0.7) valid.set(name, asText(value));
  if (draw() < 0.4) for (const [name, value] of ownValuesOf(schema, call)) valid.set(name, value);
  const names = Object.keys(schema.properties ?? {});
  if (names.length && draw() < 0.4) valid.set(pick(draw, names), pick(draw, hostile.HOSTILE_TEXTS));
  if (endpoint.waits && Number(valid.get('wait')) > 0) valid.set('wait', '0');
  const hostileQuery = draw() < 0.08 ? `&${pick(draw, hostile.HOSTILE_QUERIES)}` : '';
  return `${valid.toString()}${hostileQuery}`;
};

const withHostileFields = (body: unknown, fields: string[][], draw: Draw): unknown => {
  const value = draw() < 0.01 ? hostile.HUGE_TEXT : pick(draw, hostile.HOSTILE_VALUES);
  const changed = withText(body, pick(draw, fields), value);
  return draw() < 0.3 ? withHostileFields(changed, fields, draw) : changed;
};

const drawBody = (endpoint: Endpoint, call: ValidCall, draw: Draw): string => {
  const { body: valid, idOf } = call;
  if (draw() < 0.06) return pick(draw, hostile.HOSTILE_BODIES);
  const json = schemaOf(endpoint.body);
  const drawn = withIds(drawValue(json, draw), idFields(endpoint, 'body'), idOf);
  const isObject = valid !== null && typeof valid === 'object' && !Array.isArray(valid);
  const complete = draw() < 0.3 ? valid : isObject ? { ...(drawn as object), ...valid } : drawn;
  const own = draw() < 0.4 ? ownValuesOf(json, call) : [];
  const body = own.length ? { ...(complete as object), ...Object.fromEntries(own) } : complete;
  const fields = replaceableFields(json);
  const isHostile = fields.length > 0 && draw() < 0.5;
  return JSON.stringify(isHostile ? withHostileFields(body, fields, draw) : body) ?? '';
};

/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Files whose names and types match their content. */
const VALID_FILES: readonly SentFile[] = [
  { name: 'a.png', type: 'image/png', bytes: PNG },
  { name: 'a.csv', type: 'text/csv', bytes: 'name,email\nAnn,a@example.com\n' },
  { name: 'a.txt', bytes: 'text' },
  { name: 'a.json', type: 'application/json', bytes: '{"intents":[]}' },
];

const CONTENTS = [...VALID_FILES.map(({ bytes }) => bytes), '', '\u0000\u0001', '"', 'From: a@example.com\r\n\r\nx'];

const drawUpload = ({ uploads }: Endpoint, draw: Draw) => {
  if (draw() < 0.4) return multipart({ ...pick(draw, VALID_FILES), field: pick(draw, ['file', 'uploadFile']) });
  const bytes = pick(draw, CONTENTS);
  if (uploads?.type && draw() < 0.5) return { body: bytes, headers: { 'content-type': uploads.type } };
  const name = pick(draw, ['a.txt', 'a.png', 'a.csv', '../a.txt', 'a\u0000.txt', '', 'x'.repeat(300)]);
  return multipart({ name, bytes, field: pick(draw, ['file', 'uploadFile', '__proto__']) });
};

const drawContent = (endpoint: Endpoint, valid: ValidCall, draw: Draw): Pick<FuzzCall, 'body' | 'headers'> => {
  if ((endpoint.uploads ?? endpoint.listUpload) && draw() < 0.6) return drawUpload(endpoint, draw);
  if (!endpoint.body) return { headers: {} };
  return { body: drawBody(endpoint, valid, draw), headers: { 'content-type': 'application/json' } };
};

/** Draws one call. */
export const drawCall = (endpoint: Endpoint, sources: CallSources, draw: Draw): FuzzCall => {
  const { method, path: declared } = pick(draw, routesOf(endpoint));
  const path = withPathValues(declared, sources, draw);
  const isElsewhere = draw() < 0.05 && !servesEveryProject(endpoint);
  const project = isElsewhere ? sources.foreign.project : sources.project;
  const idOf = idSource(endpoint, sources, draw);
  const valid = { ...callWith({ ...endpoint, path }, project, idOf), idOf, own: ownValues(sources) };
  const drawnPath = draw() < 0.1 ? withHostileSegment(valid.path, draw) : valid.path;
  const caller = draw() < 0.75 ? sources.entitled : pick(draw, sources.others);
  const content = method === 'get' ? { headers: {} } : drawContent(endpoint, valid, draw);
  const hostileHeader = draw() < 0.1 ? pick(draw, hostile.HOSTILE_HEADERS) : {};
  const query = drawQuery(endpoint, valid, draw);
  return {
    method: method.toUpperCase() as FuzzCall['method'],
    path: query ? `${drawnPath}?${query}` : drawnPath,
    body: content.body,
    headers: { ...content.headers, ...(caller && { authorization: caller.authorization }), ...hostileHeader },
  };
};
