/** Every place of a call where the id of a record is told, and the kind of that record: by name, the same in every resource. */
import type { Endpoint } from '../../api/http/endpoint.ts';
import type { Kind } from './kinds.ts';
import type { JsonSchema } from './sample.ts';
import { schemaOf } from './valid-call.ts';

/** No id of anything that a project has, though it may look so. */
const NONE = null;

const BY_NAME: Record<string, Kind | typeof NONE> = {
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
  snap_department_id_bot: 'bot',
  tag_id: 'tag',
  canned_id: 'canned',
  segment: 'segment',
  subscription_id: 'subscription',
  namespace: 'namespace',
  namespace_id: 'namespace',
  content_id: 'content',
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
  pendinginvitationid: NONE, // whoever has the link of the mail
  note_id: 'note',
  banid: 'ban',
  import_id: 'leadImport',
  jti: 'token',
  userid: NONE, // accounts are no project's
  resetpswrequestid: NONE, // a code
  id_project: NONE, // the project itself
  lead_id: NONE, // a name of the caller's own choice
  client_message_id: NONE,
  ticket_id: NONE, // a number
  call_id: NONE,
  snap_department_id_bot_exists: NONE, // a flag
  hybrid: NONE, // a word
  _id: NONE, // of what is embedded in the record itself
};

const BY_PLACE: Record<string, Kind | typeof NONE> = {
  'leads/:id': 'lead',
  'segments/:id': 'segment',
  'properties/:id': 'property',
  'events/:id': 'event',
  'pendinginvitations/:id': 'invitation',
  'resendinvite/:id': 'invitation',
  'namespace/:id': 'namespace',
  'unanswered/:id': 'question',
  'requests/id/:id': 'requestById',
  'history/id/:id': 'tokenById',
  'tag/:tag_id': 'requestTag',
  'followers member': 'membership',
  'merge lead': 'otherLead',
  'replace id': 'bot',
  'ban id': 'visitor',
  'single id': 'content',
  'status id': 'content',
  'projects/:project_id id': NONE, // of those who are banned
  'kb/unanswered sender': NONE, // a note of who asked
};

const LOOKS_LIKE_ONE =
  /(^|_)id($|_)|id$|ids$|Id$|^(jti|lead|department|segment|sender|recipient|members?|participants?|followers?|namespace)$/;

const kindAt = (place: string, name: string): Kind | typeof NONE | undefined => {
  const kind = Object.entries(BY_PLACE).find(([end]) => place.endsWith(end))?.[1];
  return kind === undefined && LOOKS_LIKE_ONE.test(name) ? BY_NAME[name] : kind;
};

interface Place {
  /** Where it stands: a parameter's name, or the way to a field. */
  at: string[];
  kind: Kind | typeof NONE | undefined;
}

const placesInPath = ({ path }: Endpoint): Place[] =>
  [...path.matchAll(/:(?!project_id)(\w+)/g)]
    .filter(([, name = '']) => LOOKS_LIKE_ONE.test(name))
    .map(({ index, 0: text, 1: name = '' }) => ({
      at: [name],
      kind: kindAt(path.slice(0, index + text.length), name),
    }));

/** An id is a text; of a field that may be null the other branch tells. */
const isText = ({ type, properties, items, ...schema }: JsonSchema): boolean =>
  type !== 'null' && !properties && !items && !branches(schema).length;

const fieldsOf = (schema: JsonSchema, path: string[] = []): string[][] => [
  ...(path.length && isText(schema) ? [path] : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => fieldsOf(property, [...path, name])),
  ...(schema.items ? fieldsOf(schema.items, [...path, '0']) : []),
  ...branches(schema).flatMap((branch) => fieldsOf(branch, path)),
];

const branches = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema): JsonSchema[] => [...anyOf, ...oneOf, ...allOf];

const nameOf = (field: string[], fallback: string): string => field.findLast((part) => part !== '0') ?? fallback;

/** A body that is a list goes by the last word of the path. */
const placesIn = (endpoint: Endpoint, part: 'query' | 'body'): Place[] => {
  const last = endpoint.path.split('/').at(-1) ?? '';
  const fields = new Map(fieldsOf(schemaOf(endpoint[part])).map((field) => [field.join('.'), field]));
  return [...fields.values()]
    .filter((field) => LOOKS_LIKE_ONE.test(nameOf(field, last)))
    .map((at) => ({ at, kind: kindAt(`${endpoint.path} ${nameOf(at, last)}`, nameOf(at, last)) }));
};

const known = (places: Place[]): { at: string[]; kind: Kind }[] =>
  places.flatMap(({ at, kind }) => (kind ? [{ at, kind }] : []));

/** The parameters of the path. */
export const inPath = (endpoint: Endpoint): { name: string; kind: Kind }[] =>
  known(placesInPath(endpoint)).map(({ at: [name = ''], kind }) => ({ name, kind }));

/** The fields of the query or the body. */
export const inFields = (endpoint: Endpoint, part: 'query' | 'body'): { field: string[]; kind: Kind }[] =>
  known(placesIn(endpoint, part)).map(({ at: field, kind }) => ({ field, kind }));

/** What looks like an id, and of what nobody has said what it is. */
export const unknownPlaces = (endpoint: Endpoint): string[] =>
  [...placesInPath(endpoint), ...placesIn(endpoint, 'query'), ...placesIn(endpoint, 'body')]
    .filter(({ kind }) => kind === undefined)
    .map(({ at }) => `${endpoint.path} ${at.join('.')}`);
