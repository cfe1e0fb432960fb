/** Conversations to test with: real ones, opened by a message as clients do. */
import { randomUUID } from 'node:crypto';
import { Request } from '#shared/models/request.ts';
import { api, type Caller } from './api.ts';
import { aProject } from './people.ts';

/** A project with a conversation that its visitor has opened, and short ways to act on it. */
export const aConversation = async (first: object = { text: 'Where is my order?' }) => {
  const world = await aProject();
  const request_id = `support-group-${randomUUID()}`;
  const root = `/v3/${world.project.id}/requests`;
  const one = `${root}/${request_id}`;
  const post = (by: Caller, body: object, headers = {}) => api(by).post(`${one}/messages`, body, headers);
  const posted = await post(world.guest, first);
  return {
    ...world,
    ...{ request_id, root, one, post, posted },
    /** The conversation as its owner reads it. */
    read: async () => (await api(world.owner).get(one)).body,
    /** The messages as somebody reads them. */
    messages: async (by: Caller = world.owner) => (await api(by).get(`${one}/messages`)).body,
    /** What the conversation's last write told of. */
    told: () => toldBy({ id_project: world.project.id, request_id }),
  };
};

/** The names of the events that the last write of a conversation carries; each write tells of all it did. */
const toldBy = async (where: { id_project: string; request_id: string }): Promise<string[]> => {
  const stored = await Request.findOne(where).select('+_events').lean<{ _events: string }>();
  const told = JSON.parse(stored?._events ?? '[]') as unknown[];
  return told.filter((event): event is [string] => Array.isArray(event)).map(([name]) => name);
};
