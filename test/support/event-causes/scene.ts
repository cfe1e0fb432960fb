/** The scene: the project in which the operations in `table.ts` cause their events. */
import { type Caller, call, type Reply } from '../api.ts';
import { waitForRelay } from '../changes-log.ts';
import type { Profile } from '../both-profiles.ts';
import { aProject, type Person } from '../people.ts';

type Json = Reply['body'];
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The project, its people, and the calls that they make to the API of one wire profile. */
export interface EventScene {
  profile: Profile;
  /** URL of the API. */
  url: string;
  project: string;
  owner: Person;
  admin: Person;
  agent: Person;
  guest: Caller;
  /** URL of a bot server that returns 200. */
  acceptingUrl: string;
  /** URL of a page whose server returns 503. */
  failingUrl: string;
  /**
   * Makes a call and returns the body of the response. A path without `/v3` is relative to the project. Throws unless
   * the status is 200 or 201.
   */
  call(by: Caller, method: Method, path: string, body?: unknown): Promise<Json>;
  /** Makes a call that must be refused. Throws unless the status is 4xx. */
  callRefused(by: Caller, method: Method, path: string, body?: unknown): Promise<void>;
  /** A reference to a department as conversations show it in this profile. */
  department(id: string): unknown;
  /** The presence of a teammate who has never been online, in this profile. */
  offline: unknown;
}

/** An event that must be seen, and a part of its payload. */
export interface ExpectedEvent {
  event: string;
  payload: object;
  /** The `id_project` of the event, if it is not that of the scene. */
  project?: string;
}

/** A row in the table: an operation of clients, and the events that it causes. */
export interface EventCause {
  operation: string;
  events: readonly string[];
  /** Makes the calls; returns a part of the payload of each event, in any order. */
  cause: (scene: EventScene) => Promise<Record<string, object>>;
  /** Returns the `id_project` of an event, if it is not that of the scene. */
  projectOf?: (payload: Record<string, unknown>) => string;
}

const SUCCESS = [200, 201];

const callsOf = (base: string, project: string, checkOpenapi: boolean): Pick<EventScene, 'call' | 'callRefused'> => {
  const callExpecting =
    (isExpected: (status: number) => boolean): EventScene['call'] =>
    async (by, method, ...[path, body]) => {
      const url = base + (path.startsWith('/v3') ? path : `/v3/${project}/${path}`);
      // An event that is relayed after the deletion of its record has a payload without fields.
      if (method === 'DELETE') await waitForRelay();
      const reply = await call(method, url, { body, headers: { authorization: by.authorization }, checkOpenapi });
      if (!isExpected(reply.status)) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
      return reply.body;
    };
  return {
    call: callExpecting((status) => SUCCESS.includes(status)),
    callRefused: callExpecting((status) => status >= 400 && status < 500),
  };
};

/** Creates the project; `base` is the URL of an API of the profile. */
export const anEventScene = async (
  profile: Profile,
  base: string,
  urls: Pick<EventScene, 'acceptingUrl' | 'failingUrl'>,
): Promise<EventScene> => {
  const { project, ...people } = await aProject();
  const isSpecification = profile === 'specification';
  return {
    ...{ profile, url: base, project: project.id, ...people, ...urls },
    // The OpenAPI document of this process describes the `specification` profile only.
    ...callsOf(base, project.id, isSpecification),
    department: (id) => (isSpecification ? id : { _id: id }),
    offline: isSpecification ? 'offline' : undefined,
  };
};
