/** Limits how many conversations a visitor opens. */
import { countRecords } from '../../../database/raw-read.ts';
import { AppError } from '../../../errors.ts';
import { Conversation } from '../../../models/conversation.ts';
import { type Actor, isTeam } from '../conversation.ts';

const HOUR_MS = 3_600_000;
/** Maximum number of conversations that one visitor may open in an hour. */
const MAX_CONVERSATIONS_PER_HOUR = 60;
const RETRY_AFTER_SECONDS = 60;

/** Throws 429 if the actor is a visitor who has reached the hourly limit of new conversations. */
export const assertConversationRate = async (id_project: string, actor: Actor): Promise<void> => {
  if (isTeam(actor)) return;
  const own = { id_project, 'snapshot.lead.lead_id': actor.id, createdAt: { $gt: new Date(Date.now() - HOUR_MS) } };
  if ((await countRecords(Conversation, own, MAX_CONVERSATIONS_PER_HOUR)) < MAX_CONVERSATIONS_PER_HOUR) return;
  const text = `A visitor can open at most ${MAX_CONVERSATIONS_PER_HOUR} conversations per hour; retry later`;
  throw new AppError(429, 'RATE_LIMITED', text).retryAfter(RETRY_AFTER_SECONDS);
};
