/** Conversations and memberships of the scene: the project in which the rows of `table.ts` cause events. */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../api.ts';
import type { EventScene } from './scene.ts';

/** A new conversation of the scene's visitor, who writes `text`. */
export const openConversation = async ({ call: send, guest }: EventScene, text = 'Hello', more: object = {}) => {
  const request_id = `support-group-${randomUUID()}`;
  const path = `requests/${request_id}`;
  const message = await send(guest, 'POST', `${path}/messages`, { text, ...more });
  return { request_id, path, message };
};

/** The id of a membership in the scene's project. */
export const membershipOf = async ({ call: send, owner, profile }: EventScene, { id }: Caller): Promise<string> => {
  const found = await send(owner, 'GET', `project_users/users/${id}`);
  return (profile === 'specification' ? found : found[0])._id;
};

const sharedConversations = new WeakMap<EventScene, ReturnType<typeof openConversation>>();

/** A conversation that several rows share, so that fewer webhooks are sent. */
export const sharedConversation = (scene: EventScene): ReturnType<typeof openConversation> => {
  const shared = sharedConversations.get(scene) ?? openConversation(scene);
  sharedConversations.set(scene, shared);
  return shared;
};
