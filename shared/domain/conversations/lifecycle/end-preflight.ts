/** Ends the preflight of conversations: the visitor's first text makes them visible and routes them. */
import type { ClientSession } from 'mongoose';
import { emits } from '../../../events.ts';
import { CONVERSATION_STATUS } from '../../../models/conversation.ts';
import { LEAD_STATUS, Lead } from '../../../models/lead.ts';
import { planForConversation, type RoutingPlan } from '../../routing/routing-plan.ts';
import { SYSTEM_ACTOR } from '../assignment/event-fields.ts';
import { reassign } from '../assignment/reassign.ts';
import { selectOperators } from '../assignment/select-operators.ts';
import {
  type ConversationKey,
  type ConversationUpdate,
  lookUp,
  refView,
  type StoredConversation,
} from '../conversation.ts';
import { firstTextOf } from '../messages/build-message.ts';
import type { StoredMessage } from '../messages/messages.ts';

/** Makes a temporary lead permanent when its visitor writes. */
const makeLeadPermanent = ({ id_project, lead }: StoredConversation, session: ClientSession) => {
  const temporary = { _id: lead, id_project, status: LEAD_STATUS.temporary };
  return Lead.updateOne(temporary, { $set: { status: LEAD_STATUS.normal } }, { session, ...emits('lead.update') });
};

/** The fields of a message that determine whether it ends a preflight. */
type PreflightMessage = Parameters<typeof firstTextOf>[0] & { sender?: string };

/** Returns the fields of a conversation that change when a message ends its preflight; null for any other message. */
const revealedFields = ({ preflight, first_text, snapshot }: StoredConversation, message: PreflightMessage) => {
  const text = firstTextOf(message);
  const isNewText = text !== undefined && text !== first_text;
  const endsPreflight = preflight && isNewText && message.sender === snapshot.lead?.lead_id;
  return endsPreflight ? { first_text: text, preflight: false } : null;
};

/**
 * Whether a conversation is routed as a new one when its preflight ends. This applies to temporary conversations
 * without a bot.
 */
const isRoutedAfterPreflight = ({ status, hasBot }: StoredConversation): boolean =>
  status === CONVERSATION_STATUS.temporary && !hasBot;

/**
 * Calls the project's `operator.select` subscribers if one of the messages will end the preflight of the
 * conversation, and returns the plan with their answer. Must be called before the transaction that ends the preflight,
 * because a call may take seconds. Needed only if the project has such subscribers (`findSelectors`).
 */
export const selectAfterPreflight = async (
  key: ConversationKey,
  messages: PreflightMessage[],
): Promise<RoutingPlan | undefined> => {
  const before = await lookUp(key);
  const fields = before && messages.map((message) => revealedFields(before, message)).find(Boolean);
  if (!fields || !isRoutedAfterPreflight(before)) return undefined;
  return selectOperators(await planForConversation(before), { request: refView({ ...before, ...fields }) });
};

/** Routes a temporary conversation without a bot as a new one. Returns null for any other conversation. */
const routePreflight = async (
  before: StoredConversation,
  session: ClientSession,
  selected?: RoutingPlan,
): Promise<ConversationUpdate | null> => {
  if (!isRoutedAfterPreflight(before)) return null;
  const plan = selected ?? (await planForConversation(before));
  return reassign(before, { plan, trigger: 'preflight', actor: SYSTEM_ACTOR }, session);
};

/**
 * Ends the preflight of a conversation. A client may open a conversation in preflight before the visitor has written.
 * The conversation is hidden from agents until the visitor's first text makes it visible and routes it. Returns null if
 * the conversation is not in preflight or the message is not a new text by the visitor. `plan` is the
 * result of `selectAfterPreflight`.
 */
export const endPreflight = async (
  before: StoredConversation,
  { message, plan }: { message: StoredMessage; plan: RoutingPlan | undefined },
  session: ClientSession,
): Promise<ConversationUpdate | null> => {
  const revealed = revealedFields(before, message);
  if (!revealed) return null;
  const update = await routePreflight({ ...before, ...revealed }, session, plan);
  await makeLeadPermanent(before, session);
  return {
    ...update,
    set: { ...update?.set, ...revealed },
    events: [
      'request.update.preflight',
      'request.update',
      ['request.updated', { comment: 'FIRSTTEXT_PREFLIGHT_CHANGE', patch: revealed }],
      ...(update?.events ?? []),
    ],
  };
};
