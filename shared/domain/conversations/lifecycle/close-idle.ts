/** Closes conversations that have not changed for a configured time. */
import { unlessNotFound } from '../../../errors.ts';
import { CONVERSATION_STATUS, Conversation } from '../../../models/conversation.ts';
import { type ConversationUpdate, type StoredConversation, updateConversation } from '../conversation.ts';
import { closeUpdate } from './close.ts';

/** Maximum number of conversations closed in one run. It limits the burst of events after a long downtime. */
const MAX_CLOSED_PER_RUN = 10;
/** The value of `closed_by`, on which clients rely. It is also set for conversations without a bot. */
const CLOSED_BY = '_bot_unresponsive';

/** Selects conversations that have not changed for `seconds`: those with a bot, or those without (`hasBot`). */
interface IdleCriteria {
  hasBot: boolean;
  seconds: number;
}

const isIdle = ({ updatedAt, workingStatus }: StoredConversation, since: Date): boolean =>
  new Date(updatedAt) < since && workingStatus !== 'pending';

/**
 * Closes the longest-idle conversations across all projects, without sending notifications. Skips a conversation that
 * is deleted, changed or closed in the meantime. Returns the number of conversations that it has closed.
 */
export const closeIdle = async ({ hasBot, seconds }: IdleCriteria): Promise<number> => {
  const since = new Date(Date.now() - seconds * 1000);
  const idle = {
    hasBot,
    status: { $lt: CONVERSATION_STATUS.closed },
    updatedAt: { $lt: since },
    workingStatus: { $ne: 'pending' },
  };
  const found = await Conversation.find(idle, { id_project: 1, request_id: 1 }, { anyProject: true })
    .sort({ updatedAt: 1 })
    .limit(MAX_CLOSED_PER_RUN)
    .lean();
  let closedCount = 0;
  for (const { id_project, request_id } of found) {
    let update: ConversationUpdate | null = null;
    const closeIfIdle = (current: StoredConversation) =>
      (update = isIdle(current, since) ? closeUpdate(current, CLOSED_BY, { notify: false }) : null);
    const after = await unlessNotFound(() => updateConversation({ id_project, request_id }, closeIfIdle));
    if (after && update) closedCount += 1;
  }
  return closedCount;
};
