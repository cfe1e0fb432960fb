/** Charges conversations and messages to the quotas of their project, and returns the quota events of their writes. */
import type { emits } from '../../events.ts';
import { SYSTEM_SENDER } from '../../models/message.ts';
import { type QuotaCharge, quotaEvents } from '../quotas/charge.ts';
import { findPlan, type ProjectPlan } from '../quotas/plan.ts';
import { VOICE_CHANNEL } from '../quotas/usage.ts';

type Events = Parameters<typeof emits>;

/** The fields that decide whether a conversation is counted. */
interface NewConversationFields {
  channel: { name: string };
  draft?: boolean;
}

/** Whether a new conversation is counted: drafts, which test a bot, and calls are not. */
const isCounted = ({ channel, draft }: NewConversationFields): boolean => !draft && !VOICE_CHANNEL.test(channel.name);

/**
 * Charges a new conversation and its first message, if it has one, with one command. Returns the quota events of both
 * records. Throws 403 with `plan_limit` if a limit of the plan is reached.
 */
export const chargeOpening = async (
  { charge, firstMessage }: { charge: QuotaCharge; firstMessage?: object },
  plan: ProjectPlan,
  conversation: NewConversationFields,
): Promise<{ request: Events; message: Events }> => {
  const requests = isCounted(conversation) ? 1 : 0;
  await charge.add(plan, { requests, messages: firstMessage ? 1 : 0 });
  return {
    request: requests ? quotaEvents(plan, 'requests') : [],
    message: quotaEvents(plan, 'messages'),
  };
};

/**
 * Charges messages of an existing conversation, or a direct message. Returns the quota event of each message. Messages
 * of the system are not counted. Throws 403 with `plan_limit` if the limit of the plan is reached.
 */
export const chargeMessages = async (
  charge: QuotaCharge,
  id_project: string,
  messages: { sender: string }[],
): Promise<Events> => {
  const counted = messages.filter(({ sender }) => sender !== SYSTEM_SENDER.sender).length;
  if (!counted) return [];
  const plan = await findPlan(id_project);
  await charge.add(plan, { messages: counted });
  return quotaEvents(plan, 'messages');
};

/** Returns the quota event of a closed conversation; none if the plan limits neither conversations nor calls. */
export const closingEvents = async (id_project: string): Promise<Events> => {
  const { project, limits } = await findPlan(id_project);
  const isLimited = limits.requests !== undefined || limits.voice_duration !== undefined;
  return isLimited ? [['request.close.quote', { project }]] : [];
};
