/** Calls in the caller's project with the id of another project's record, in one parameter or field at a time. */
import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { idFields, idPathParameters } from './id-fields.ts';
import { type ProjectFixture, RECORD_MAKERS, type RecordKind } from './record-makers.ts';
import { withText } from './schema-samples.ts';
import { validCall } from './valid-call.ts';

/** Ids of one record of each kind. */
export type RecordIds = Record<RecordKind, string>;

/** Creates one record of each kind. */
export const createOneOfEach = async (fixture: ProjectFixture): Promise<RecordIds> => {
  const made: [string, string][] = [];
  for (const [kind, make] of Object.entries(RECORD_MAKERS)) made.push([kind, await make(fixture)]);
  return Object.fromEntries(made) as RecordIds;
};

interface PreparedCall {
  path: string;
  body: unknown;
}

/** A call with the id of another project's record. */
export interface ForeignCall extends PreparedCall {
  /** The parameter or field with the foreign id. */
  location: string;
}

/** Returns the id of a record for a parameter or field. */
export type IdSource = (kind: RecordKind, name: string) => string;

const pathOf = (endpoint: Endpoint, project: string, idOf: IdSource): string => {
  const kinds = new Map(idPathParameters(endpoint).map(({ name, kind }) => [name, kind]));
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const kind = kinds.get(name);
    return name === 'project_id' ? project : kind ? idOf(kind, name) : name;
  });
};

const withQuery = (path: string, query: URLSearchParams): string => (query.size ? `${path}?${query.toString()}` : path);

/**
 * Fields that a call needs although its schema does not require them. A key consists of the method, and of the path or
 * its last segment.
 */
const REQUIRED_FIELDS: Record<string, (idOf: IdSource) => object> = {
  'put replace': (idOf) => ({ id: idOf('bot', 'id') }),
  'post loginemail': (idOf) => ({ bot_id: idOf('bot', 'bot_id') }),
  'post askbot': (idOf) => ({ id_faq_kb: idOf('bot', 'id_faq_kb') }),
  'post faq': (idOf) => ({ id_faq_kb: idOf('bot', 'id_faq_kb') }),
  'post intents': (idOf) => ({ id_faq_kb: idOf('bot', 'id_faq_kb') }),
  'post ops_update': (idOf) => ({ id_faq_kb: idOf('bot', 'id_faq_kb') }),
  'put :faq_id': (idOf) => ({ id_faq_kb: idOf('bot', 'id_faq_kb') }),
  'post :bot_id': () => ({ intents: [] }),
  'post single': (idOf) => ({ id: idOf('content', 'id') }),
  'post status': (idOf) => ({ id: idOf('content', 'id') }),
  'post participants': (idOf) => ({ member: idOf('user', 'member') }),
  'post followers': (idOf) => ({ member: idOf('membership', 'member') }),
  'post merge': (idOf) => ({ lead: idOf('otherLead', 'lead') }),
  'post messages': (idOf) => ({ text: 'Hello', recipient: idOf('user', 'recipient'), recipientFullname: 'Ann' }),
  'post events': () => ({ name: 'event.emit.tried' }),
  'post subscriptions': () => ({ event: 'message.create' }),
  'post test': (idOf) => ({ subscription: idOf('subscription', 'subscription') }),
  'post /v3/subscriptions': () => ({ event: 'user.delete', global: true }),
  'post /v3/subscriptions/test': (idOf) => ({ subscription: idOf('globalSubscription', 'subscription') }),
};

const withRequiredFields = (body: unknown, { path, method }: Endpoint, idOf: IdSource): unknown => {
  const fieldsOf = REQUIRED_FIELDS[`${method} ${path}`] ?? REQUIRED_FIELDS[`${method} ${path.split('/').at(-1)}`];
  const more = fieldsOf?.(idOf);
  return more ? { ...(body as object), ...more } : body;
};

/** The path, the query and the body of a valid call to the endpoint with these ids. */
export const callWith = (endpoint: Endpoint, project: string, idOf: IdSource) => {
  const { path: valid, body } = validCall(endpoint, project);
  const query = new URLSearchParams(valid.split('?')[1]);
  return { path: pathOf(endpoint, project, idOf), query, body: withRequiredFields(body, endpoint, idOf) };
};

/** A valid call to the endpoint with records of the caller's project. */
export const ownCall = (endpoint: Endpoint, project: string, own: RecordIds): PreparedCall => {
  const { path, query, body } = callWith(endpoint, project, (kind) => own[kind]);
  return { path: withQuery(path, query), body };
};

/** Whether a call with an unused conversation id opens a conversation. The API reads some fields only in such calls. */
const opensConversation = ({ method, path }: Endpoint): boolean => method === 'post' && path.endsWith('/messages');

const foreignInPath = (endpoint: Endpoint, project: string, { own, foreign }: OwnAndForeignIds): ForeignCall[] => {
  const names = idPathParameters(endpoint).map(({ name }) => name);
  return (names.length > 1 ? [...names, 'all'] : names).map((parameter) => {
    const idOf: IdSource = (kind, name) => (parameter === name || parameter === 'all' ? foreign : own)[kind];
    const { path, query, body } = callWith(endpoint, project, idOf);
    return { location: `:${parameter}`, path: withQuery(path, query), body };
  });
};

const foreignInBodyOrQuery = (
  endpoint: Endpoint,
  project: string,
  { own, foreign }: OwnAndForeignIds,
): ForeignCall[] => {
  const call = () =>
    callWith(endpoint, project, (kind) =>
      kind === 'request' && opensConversation(endpoint) ? randomUUID() : own[kind],
    );
  const inQuery = idFields(endpoint, 'query').map(({ field: [name = ''], kind }) => {
    const { path, query, body } = call();
    query.set(name, foreign[kind]);
    return { location: `?${name}`, path: withQuery(path, query), body };
  });
  const inBody = idFields(endpoint, 'body').map(({ field, kind }) => {
    const { path, query, body } = call();
    return { location: field.join('.'), path: withQuery(path, query), body: withText(body, field, foreign[kind]) };
  });
  return [...inQuery, ...inBody];
};

interface OwnAndForeignIds {
  own: RecordIds;
  foreign: RecordIds;
}

/**
 * All calls to an endpoint with one foreign id, while all other ids belong to the caller's project. A path with several
 * ids is also called with all of them foreign.
 */
export const foreignCalls = (endpoint: Endpoint, project: string, sides: OwnAndForeignIds): ForeignCall[] => [
  ...foreignInPath(endpoint, project, sides),
  ...foreignInBodyOrQuery(endpoint, project, sides),
];
