/** Closes conversations that have not changed for a configured time. */
import { unlessNotFound } from '../../../errors.ts';
import { CONVERSATION_STATUS, Conversation } from '../../../models/conversation.ts';
import { currentTimeMs } from '../../../time/clock.ts';
import { type ConversationKey, type StoredConversation, updateConversation } from '../conversation.ts';
import { closeUpdate } from './close.ts';

/** Maximum number of conversations closed per run of the job. It limits the burst of events after a long downtime. */
const MAX_CLOSED_PER_RUN = 10;
/** The value of `closed_by`, on which clients rely. It is also set for conversations without a bot. */
const CLOSED_BY = '_bot_unresponsive';

/** Selects conversations that have not changed for `seconds` seconds, with or without a bot, as `hasBot` says. */
interface IdleCriteria {
  hasBot: boolean;
  seconds: number;
}

const isIdle = ({ updatedAt, workingStatus }: StoredConversation, since: Date): boolean =>
  new Date(updatedAt) < since && workingStatus !== 'pending';

/** Closes a conversation if it is still open and idle. Returns whether it has done so. */
const closeIfIdle = async (key: ConversationKey, since: Date): Promise<boolean> => {
  let isClosed = false;
  await updateConversation(key, async (current) => {
    const update = isIdle(current, since) ? await closeUpdate(current, CLOSED_BY, { notify: false }) : null;
    isClosed = update !== null;
    return update;
  });
  return isClosed;
};

/**
 * Closes the longest-idle conversations across all projects, without notifications. Skips conversations that have the
 * `workingStatus` `pending`, or are deleted, changed or closed in the meantime. Returns how many it has closed.
 */
export const closeIdle = async ({ hasBot, seconds }: IdleCriteria): Promise<number> => {
  const since = new Date(currentTimeMs() - seconds * 1000);
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
  for (const { id_project, request_id } of found)
    if (await unlessNotFound(() => closeIfIdle({ id_project, request_id }, since))) closedCount += 1;
  return closedCount;
};
