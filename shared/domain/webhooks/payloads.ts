/** Builds the webhook payloads that differ from the payload of the event in the changes log. */
import { readMany } from '../../database/raw-read.ts';
import { Message, MessageView } from '../../models/message.ts';
import { projectionOf } from '../../wire/view.ts';
import { UPDATE_COMMENT } from './subscribable-events.ts';

interface ProjectEvent {
  id_project: string;
  event: string;
}

const MAX_MESSAGES = 1000;

const commentPayload = ({ comment, request }: { comment?: string; request?: object }) => ({ comment, request });

/**
 * Returns the payload of `request.close`, which contains the conversation's latest messages in the order of their last
 * update.
 */
const withMessages = async (id_project: string, request: { request_id?: string }) => {
  const filter = { id_project, recipient: request.request_id };
  const options = { sort: { updatedAt: -1, _id: -1 } as const, limit: MAX_MESSAGES };
  const messages = await readMany(Message, filter, { fields: projectionOf(MessageView), ...options });
  return { ...request, messages: messages.toReversed() };
};

/**
 * Converts the payload of an event in the changes log to the payload of a webhook. `name` is the event name of
 * the subscription.
 */
export const deliveredPayload = async (
  { id_project, event }: ProjectEvent,
  name: string,
  payload: object,
): Promise<object> => {
  if (name === UPDATE_COMMENT) return commentPayload(payload);
  if (event === 'request.close') return withMessages(id_project, payload);
  if (event.startsWith('project.')) return { ...payload, id_project };
  return payload;
};
