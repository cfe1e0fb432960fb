/**
 * Decides the first status, department and participants of a conversation: when it is opened, and when its preflight
 * ends.
 */
import type { ClientSession } from 'mongoose';
import { emits } from '../../../events.ts';
import { CONVERSATION_STATUS } from '../../../models/conversation.ts';
import { LEAD_STATUS, Lead } from '../../../models/lead.ts';
import type { RoutingOutcome } from '../../../models/routing-decision.ts';
import { assignConversation, type Decision } from '../../routing/assign-conversation.ts';
import { planForConversation, type RoutingPlan } from '../../routing/routing-plan.ts';
import { isBot, participantFields } from '../assignment/participants.ts';
import { reassign, SYSTEM_ACTOR } from '../assignment/reassign.ts';
import type { ConversationUpdate, StoredConversation } from '../conversation.ts';
import { firstTextOf } from '../messages/build-message.ts';
import type { StoredMessage } from '../messages/messages.ts';
import { INITIAL_STATUSES } from '../transitions.ts';

/** What the caller may choose when opening a conversation. */
interface OpeningOptions {
  participants?: string[];
  request_status?: number;
}

/** The initial fields of a conversation, and how routing chose them. */
interface InitialState {
  fields: ReturnType<typeof participantFields> & {
    hasBot: boolean;
    status: number;
    department?: string;
    assigned_at?: Date;
  };
  /** Absent if the conversation was not routed. */
  decision?: Decision;
  /** The user id of the agent that routing reserved. */
  reservedFor?: string;
  /** Releases the reservation. */
  undo?(): Promise<void>;
}

const ROW_BY_OUTCOME = {
  bot: 'the department has a bot',
  assigned: 'department with routing assigned, agent found',
  nobody: 'department with routing assigned, no agent found',
  in_line: 'department with routing assigned, no agent found',
  pooled: 'pooled department',
} as const satisfies Record<RoutingOutcome, keyof typeof INITIAL_STATUSES>;

const routeNewConversation = async (request: string, plan: RoutingPlan): Promise<InitialState> => {
  const assignment = await assignConversation(plan, { request, trigger: 'arrival' });
  const { participants, reservedFor, decision, undo } = assignment;
  const status = INITIAL_STATUSES[ROW_BY_OUTCOME[decision.outcome]];
  const assigned_at = participants.length ? new Date() : undefined;
  const department = plan.department._id;
  const fields = { hasBot: false, ...participantFields(participants), status, department, assigned_at };
  return { fields, reservedFor, decision, undo };
};

/**
 * Returns the initial state of a conversation; `request` is its `_id`. If routing chooses an agent, it is reserved at
 * once.
 */
export const initialState = async (
  request: string,
  options: OpeningOptions,
  plan: RoutingPlan,
): Promise<InitialState> => {
  const { participants = [], request_status } = options;
  const isTemporary = request_status === INITIAL_STATUSES['opened as temporary'];
  if (!isTemporary && !participants.length) return routeNewConversation(request, plan);
  const fields = { ...participantFields(participants), hasBot: isBot(participants[0] ?? '') };
  const status = INITIAL_STATUSES[isTemporary ? 'opened as temporary' : 'opened with participants'];
  const department = participants.length ? undefined : plan.department._id;
  return { fields: { ...fields, status, department, assigned_at: isTemporary ? undefined : new Date() } };
};

/** A lead is temporary until its visitor writes. */
const makeLeadPermanent = ({ id_project, lead }: StoredConversation, session: ClientSession) => {
  const temporary = { _id: lead, id_project, status: LEAD_STATUS.temporary };
  return Lead.updateOne(temporary, { $set: { status: LEAD_STATUS.normal } }, { session, ...emits('lead.update') });
};

/** Routes a temporary conversation without a bot like a new one. Returns null for any other conversation. */
const routePreflight = async (
  before: StoredConversation,
  session: ClientSession,
): Promise<ConversationUpdate | null> => {
  if (before.status !== CONVERSATION_STATUS.temporary || before.hasBot) return null;
  return reassign(
    before,
    { plan: await planForConversation(before), trigger: 'preflight', actor: SYSTEM_ACTOR },
    session,
  );
};

/**
 * Ends the preflight of a conversation. A client may open a conversation in preflight, hidden from agents, before its
 * visitor has written; the visitor's first text makes it visible and routes it. Returns null if the conversation is not
 * in preflight or the message is not such a text.
 */
export const endPreflight = async (
  before: StoredConversation,
  message: StoredMessage,
  session: ClientSession,
): Promise<ConversationUpdate | null> => {
  const first_text = firstTextOf(message);
  const isNewText = first_text !== undefined && first_text !== before.first_text;
  if (!before.preflight || !isNewText || message.sender !== before.snapshot.lead?.lead_id) return null;
  const revealed = { first_text, preflight: false };
  const update = await routePreflight({ ...before, ...revealed }, session);
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
