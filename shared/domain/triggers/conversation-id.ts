/** Identifies the conversation that the event of a trigger concerns. */
import { createHash } from 'node:crypto';
import type { TriggerPayload } from './facts.ts';

const MAX_REQUEST_ID_LENGTH = 300;

const newRequestId = (id_project: string, run: string): string =>
  `support-group-${id_project}-${createHash('sha256').update(`conversation ${run}`).digest('hex').slice(0, 32)}`;

/**
 * Returns the `request_id` of the conversation that an event concerns. A custom event may name the conversation in
 * its `request_id` attribute. If an event names none, returns the id of a conversation that the run may open.
 */
export const conversationIdOf = (
  { request_id, request, attributes }: TriggerPayload,
  { id_project, run }: { id_project: string; run: string },
): string => {
  const known = request_id ?? request?.request_id ?? attributes?.request_id;
  const isUsable = typeof known === 'string' && known !== '' && known.length <= MAX_REQUEST_ID_LENGTH;
  return isUsable ? known : newRequestId(id_project, run);
};
