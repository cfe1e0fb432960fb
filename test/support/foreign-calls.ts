/** Calls in one's own project that tell the id of another project's record, one place at a time. */
import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { inFields, inPath } from './id-places.ts';
import { type Kind, KINDS, type World } from './kinds.ts';
import { withText } from './sample.ts';
import { validCall } from './valid-call.ts';

/** One of each kind, by its id. */
export type Ids = Record<Kind, string>;

/** Make one of each kind. */
export const oneOfEach = async (world: World): Promise<Ids> => {
  const made: [string, string][] = [];
  for (const [kind, make] of Object.entries(KINDS)) made.push([kind, await make(world)]);
  return Object.fromEntries(made) as Ids;
};

interface Told {
  path: string;
  body: unknown;
}

/** A call, and where in it the foreign id stands. */
export interface ForeignCall extends Told {
  place: string;
}

type IdOf = (kind: Kind, name: string) => string;

const pathOf = (endpoint: Endpoint, project: string, idOf: IdOf): string => {
  const places = new Map(inPath(endpoint).map(({ name, kind }) => [name, kind]));
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const kind = places.get(name);
    return name === 'project_id' ? project : kind ? idOf(kind, name) : name;
  });
};

const withQuery = (path: string, query: URLSearchParams): string => (query.size ? `${path}?${query.toString()}` : path);

/** What no schema tells: a record that is there, or one of several names. */
const NEEDED: Record<string, (idOf: IdOf) => object> = {
  'put replace': (idOf) => ({ id: idOf('bot', 'id') }),
  'post loginemail': (idOf) => ({ bot_id: idOf('bot', 'bot_id') }),
  'post single': (idOf) => ({ id: idOf('content', 'id') }),
  'post status': (idOf) => ({ id: idOf('content', 'id') }),
  'post participants': (idOf) => ({ member: idOf('user', 'member') }),
  'post followers': (idOf) => ({ member: idOf('membership', 'member') }),
  'post merge': (idOf) => ({ lead: idOf('otherLead', 'lead') }),
  'post messages': (idOf) => ({ text: 'Hello', recipient: idOf('user', 'recipient'), recipientFullname: 'Ann' }),
  'post events': () => ({ name: 'event.emit.tried' }),
};

const completed = (body: unknown, { path, method }: Endpoint, idOf: IdOf): unknown => {
  const more = NEEDED[`${method} ${path.split('/').at(-1)}`]?.(idOf);
  return more ? { ...(body as object), ...more } : body;
};

const callWith = (endpoint: Endpoint, project: string, idOf: IdOf) => {
  const { path: valid, body } = validCall(endpoint, project);
  const query = new URLSearchParams(valid.split('?')[1]);
  return { path: pathOf(endpoint, project, idOf), query, body: completed(body, endpoint, idOf) };
};

/** The call that an endpoint would accept, about one's own records. */
export const ownCall = (endpoint: Endpoint, project: string, own: Ids): Told => {
  const { path, query, body } = callWith(endpoint, project, (kind) => own[kind]);
  return { path: withQuery(path, query), body };
};

/** What counts when a conversation is opened: told in one that is new. */
const opens = ({ method, path }: Endpoint): boolean => method === 'post' && path.endsWith('/messages');

const inPathOf = (endpoint: Endpoint, project: string, { own, foreign }: Sides): ForeignCall[] => {
  const names = inPath(endpoint).map(({ name }) => name);
  return (names.length > 1 ? [...names, 'all'] : names).map((place) => {
    const idOf: IdOf = (kind, name) => (place === name || place === 'all' ? foreign : own)[kind];
    const { path, query, body } = callWith(endpoint, project, idOf);
    return { place: `:${place}`, path: withQuery(path, query), body };
  });
};

const inBodyOrQuery = (endpoint: Endpoint, project: string, { own, foreign }: Sides): ForeignCall[] => {
  const call = () =>
    callWith(endpoint, project, (kind) => (kind === 'request' && opens(endpoint) ? randomUUID() : own[kind]));
  const inQuery = inFields(endpoint, 'query').map(({ field: [name = ''], kind }) => {
    const { path, query, body } = call();
    query.set(name, foreign[kind]);
    return { place: `?${name}`, path: withQuery(path, query), body };
  });
  const inBody = inFields(endpoint, 'body').map(({ field, kind }) => {
    const { path, query, body } = call();
    return { place: field.join('.'), path: withQuery(path, query), body: withText(body, field, foreign[kind]) };
  });
  return [...inQuery, ...inBody];
};

interface Sides {
  own: Ids;
  foreign: Ids;
}

/** All such calls of an endpoint; whatever else they tell is the caller's own. */
export const foreignCalls = (endpoint: Endpoint, project: string, sides: Sides): ForeignCall[] => [
  ...inPathOf(endpoint, project, sides),
  ...inBodyOrQuery(endpoint, project, sides),
];
