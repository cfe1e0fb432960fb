/** Finds the parameters and fields of a call that are ids of records, and the kind of each record. */
import type { Endpoint } from '../../api/http/endpoint.ts';
import type { RecordKind } from './record-makers.ts';
import type { JsonSchema } from './schema-samples.ts';
import { schemaOf } from './valid-call.ts';

/** The kind of parameters and fields that look like ids but do not name a record of a project. */
const NO_RECORD = null;

const KIND_BY_NAME: Record<string, RecordKind | typeof NO_RECORD> = {
  request_id: 'request',
  message_id: 'message',
  lead: 'lead',
  department: 'department',
  departmentid: 'department',
  department_id: 'department',
  dept_id: 'department',
  id_group: 'group',
  group_id: 'group',
  bot_id: 'bot',
  id_bot: 'bot',
  id_faq_kb: 'bot',
  restore_from: 'bot',
  faq_id: 'intent',
  intent_id: NO_RECORD, // chosen by the caller
  projectid: NO_RECORD, // the project that receives the copy of a bot
  snap_department_id_bot: 'bot',
  tag_id: 'tag',
  canned_id: 'canned',
  segment: 'segment',
  subscription_id: 'subscription',
  subscription: 'subscription',
  trigger_id: 'trigger',
  namespace: 'namespace',
  namespace_id: 'namespace',
  content_id: 'content',
  integration_id: 'integration',
  settings_id: 'kbSettings',
  deletion_id: 'deletion',
  project_user: 'membership',
  project_user_id: 'membership',
  follower_id: 'membership',
  followers: 'membership',
  participant: 'user',
  participants: 'user',
  participant_id: 'user',
  member: 'user',
  members: 'user',
  sender: 'user',
  recipient: 'user',
  user_id: 'user',
  agent_id: 'user',
  snap_lead_lead_id: 'visitor',
  pendinginvitationid: NO_RECORD, // authorized by the link in the email, not by membership
  note_id: 'note',
  block_id: 'mailBlock',
  banid: 'ban',
  import_id: 'leadImport',
  kb_import_id: 'kbImport',
  jti: 'token',
  userid: NO_RECORD, // accounts belong to no project
  resetpswrequestid: NO_RECORD, // the key from the password reset email
  id_project: NO_RECORD, // the project itself
  lead_id: NO_RECORD, // chosen by the caller
  client_message_id: NO_RECORD,
  ticket_id: NO_RECORD, // a number
  call_id: NO_RECORD,
  attributes_answerid: NO_RECORD, // an attribute that bots set
  snap_department_id_bot_exists: NO_RECORD, // a flag
  hybrid: NO_RECORD, // a flag
  _id: NO_RECORD, // the id of an embedded record
};

const KIND_BY_PATH: Record<string, RecordKind | typeof NO_RECORD> = {
  '/v3/subscriptions/:subscription_id': 'globalSubscription',
  '/v3/subscriptions/test subscription': 'globalSubscription',
  '/v3/subscriptions/history subscription': 'globalSubscription',
  'leads/:id': 'lead',
  'segments/:id': 'segment',
  'properties/:id': 'property',
  'events/:id': 'event',
  'pendinginvitations/:id': 'invitation',
  'resendinvite/:id': 'invitation',
  'namespace/:id': 'namespace',
  'namespace/export/:id': 'namespace',
  'namespace/import/:id': 'namespace',
  'unanswered/:id': 'question',
  'kb/answered/:id': 'answeredQuestion',
  'clusters/:id': 'questionCluster',
  'requests/id/:id': 'requestById',
  'history/id/:id': 'tokenById',
  'tag/:tag_id': 'requestTag',
  'followers member': 'membership',
  'merge lead': 'otherLead',
  'replace id': 'bot',
  'ban id': 'visitor',
  'single id': 'content',
  'status id': 'content',
  'projects/:project_id id': NO_RECORD, // ids of banned users
  'kb/unanswered sender': NO_RECORD, // a text about the person who asked
};

const ID_NAME =
  /(^|_)id($|_)|id$|ids$|Id$|^(jti|lead|department|segment|sender|recipient|members?|participants?|followers?|namespace)$/;

const kindOfId = (path: string, name: string): RecordKind | typeof NO_RECORD | undefined => {
  const kind = Object.entries(KIND_BY_PATH).find(([end]) => path.endsWith(end))?.[1];
  return kind === undefined && ID_NAME.test(name) ? KIND_BY_NAME[name] : kind;
};

interface IdField {
  /** The name of a parameter, or the path of a field. */
  path: string[];
  kind: RecordKind | typeof NO_RECORD | undefined;
}

const idsInPath = ({ path }: Endpoint): IdField[] =>
  [...path.matchAll(/:(?!project_id)(\w+)/g)]
    .filter(([, name = '']) => ID_NAME.test(name))
    .map(({ index, 0: text, 1: name = '' }) => ({
      path: [name],
      kind: kindOfId(path.slice(0, index + text.length), name),
    }));

/** Whether the schema describes a single value other than null. */
const isScalar = ({ type, properties, items, ...schema }: JsonSchema): boolean =>
  type !== 'null' && !properties && !items && !branches(schema).length;

/** The paths of all scalar fields of a schema, including those of nested objects, lists and alternatives. */
export const scalarFields = (schema: JsonSchema, path: string[] = []): string[][] => [
  ...(path.length && isScalar(schema) ? [path] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => scalarFields(property, [...path, name])),
  ...(schema.items ? scalarFields(schema.items, [...path, '0']) : []),
  ...branches(schema).flatMap((branch) => scalarFields(branch, path)),
];

const branches = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema): JsonSchema[] => [...anyOf, ...oneOf, ...allOf];

const nameOf = (field: string[], fallback: string): string => field.findLast((part) => part !== '0') ?? fallback;

/** Finds ids in the query or body of a call. If the body is a list, the last path segment names its items. */
const idsIn = (endpoint: Endpoint, part: 'query' | 'body'): IdField[] => {
  const last = endpoint.path.split('/').at(-1) ?? '';
  const fields = new Map(scalarFields(schemaOf(endpoint[part])).map((field) => [field.join('.'), field]));
  return [...fields.values()]
    .filter((field) => ID_NAME.test(nameOf(field, last)))
    .map((path) => ({ path, kind: kindOfId(`${endpoint.path} ${nameOf(path, last)}`, nameOf(path, last)) }));
};

const withKnownKind = (fields: IdField[]): { path: string[]; kind: RecordKind }[] =>
  fields.flatMap(({ path, kind }) => (kind ? [{ path, kind }] : []));

const found = new Map<string, unknown>();

/**
 * Calls `find` once for each part of an endpoint, and returns its result on every call. Endpoints with the same method
 * and path count as one, because callers may pass copies.
 */
const once = <T>(part: string, { method, path }: Endpoint, find: () => T): T => {
  const key = `${part} ${method} ${path}`;
  if (!found.has(key)) found.set(key, find());
  return found.get(key) as T;
};

/** The parameters of the path that are ids of records. */
export const idPathParameters = (endpoint: Endpoint): { name: string; kind: RecordKind }[] =>
  once('path', endpoint, () =>
    withKnownKind(idsInPath(endpoint)).map(({ path: [name = ''], kind }) => ({ name, kind })),
  );

/** The fields in the query or the body that are ids of records. */
export const idFields = (endpoint: Endpoint, part: 'query' | 'body'): { field: string[]; kind: RecordKind }[] =>
  once(part, endpoint, () => withKnownKind(idsIn(endpoint, part)).map(({ path: field, kind }) => ({ field, kind })));

/** Parameters and fields whose names suggest ids, but which KIND_BY_NAME and KIND_BY_PATH do not list. */
export const idsOfUnknownKind = (endpoint: Endpoint): string[] =>
  [...idsInPath(endpoint), ...idsIn(endpoint, 'query'), ...idsIn(endpoint, 'body')]
    .filter(({ kind }) => kind === undefined)
    .map(({ path: field }) => `${endpoint.path} ${field.join('.')}`);
