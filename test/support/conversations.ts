/** Conversations for tests, opened by a message over HTTP as clients open them. */
import { randomUUID } from 'node:crypto';
import { omitFields } from '#shared/wire/omit-fields.ts';
import { api, type Caller } from './api.ts';
import { relayedChanges } from './changes-log.ts';
import { aProject } from './people.ts';

/** A project with a conversation opened by its visitor, and functions that act on this conversation. */
export const aConversation = async (firstMessage: object = { text: 'Where is my order?' }) => {
  const fixture = await aProject();
  const request_id = `support-group-${randomUUID()}`;
  const root = `/v3/${fixture.project.id}/requests`;
  const one = `${root}/${request_id}`;
  const post = (by: Caller, body: object, headers = {}) => api(by).post(`${one}/messages`, body, headers);
  const posted = await post(fixture.guest, firstMessage);
  return {
    ...fixture,
    ...{ request_id, root, one, post, posted },
    /** The conversation as the owner of the project reads it. */
    read: async () => (await api(fixture.owner).get(one)).body,
    /** The messages as `by` reads them. */
    messages: async (by: Caller = fixture.owner) => (await api(by).get(`${one}/messages`)).body,
    /** Names of the project's events since the last call, except those in IGNORED_EVENTS. */
    newEvents: newEventsReader(fixture.project.id),
  };
};

type Agent = Record<string, unknown>;
/** The fields of agents that change independently of the conversation. The API may read them from a cache. */
const LOAD_FIELDS = ['number_assigned_requests', 'user_available', 'updatedAt', '__v'];

/** Returns a conversation without the load of its agents. */
export const withoutLoad = (conversation: { agents: Agent[]; snapshot: { agents: Agent[] } }) => {
  const stable = (agents: Agent[]) => agents.map((agent) => omitFields(agent, LOAD_FIELDS));
  const { agents, snapshot } = conversation;
  return { ...conversation, agents: stable(agents), snapshot: { ...snapshot, agents: stable(snapshot.agents) } };
};

/** Emitted for every assignment and for every new visitor. */
const IGNORED_EVENTS = new Set(['project_user.update', 'projectuser.create']);

const newEventsReader = (project: string) => {
  let readCount = 0;
  return async (): Promise<string[]> => {
    const log = (await relayedChanges(project)).slice(readCount);
    readCount += log.length;
    return log.map(({ event }) => event).filter((event) => !IGNORED_EVENTS.has(event));
  };
};
