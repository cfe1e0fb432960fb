/** Conversations to test with: real ones, opened by a message as clients do. */
import { randomUUID } from 'node:crypto';
import { api, type Caller } from './api.ts';
import { changes } from './changes.ts';
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
    /** What was told of the project since the last call, but for loads and new visitors. */
    told: teller(world.project.id),
  };
};

/** Told of people whenever somebody comes or is given a conversation. */
const BESIDE = new Set(['project_user.update', 'projectuser.create']);

const teller = (project: string) => {
  let heard = 0;
  return async (): Promise<string[]> => {
    const log = (await changes(project)).slice(heard);
    heard += log.length;
    return log.map(({ event }) => event).filter((event) => !BESIDE.has(event));
  };
};
