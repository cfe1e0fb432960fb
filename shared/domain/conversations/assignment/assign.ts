/** Moves a conversation to a department, assigns it, or hands it over to an agent or a bot. */
import type { ClientSession } from 'mongoose';
import { newId } from '../../../context.ts';
import { readOne } from '../../../database/raw-read.ts';
import { AppError, notFound } from '../../../errors.ts';
import { Bot, IDENTITY_BOT_TYPE } from '../../../models/bot.ts';
import { CONVERSATION_STATUS, Conversation } from '../../../models/conversation.ts';
import { isId } from '../../../wire/view.ts';
import { emitInTransaction } from '../../events/custom-events.ts';
import type { Decision } from '../../routing/assign-conversation.ts';
import { planForConversation, planRouting } from '../../routing/routing-plan.ts';
import {
  type Actor,
  type ConversationKey,
  type ConversationUpdate,
  find,
  refView,
  type StoredConversation,
  conversationNotFound,
  updateConversation,
} from '../conversation.ts';
import { nextStatus } from '../transitions.ts';
import { set as setParticipants } from './participants.ts';
import { BOT_PREFIX } from '../participants.ts';
import { type Reassignment, reassign } from './reassign.ts';
import { selectOperators } from './select-operators.ts';

/** The department to which a conversation is routed. */
interface Destination {
  /** The department's id. Default: the project's default department. */
  department?: string;
  /** Skips the department's bot. */
  nobot?: boolean;
}

/** Returns the conversation with an update applied to its top-level fields. */
const withUpdate = (before: StoredConversation, { set }: ConversationUpdate) => {
  const topLevel = Object.entries(set).filter(([field]) => !field.includes('.'));
  return refView({ ...before, ...Object.fromEntries(topLevel) });
};

/**
 * Returns a function that routes a conversation, and emits `request.fully_abandoned` if the new status is `abandoned`,
 * which means that every agent of the department has left the conversation.
 */
const reassignWith =
  (reassignment: Reassignment, eventId = newId()) =>
  async (before: StoredConversation, session: ClientSession) => {
    const update = await reassign(before, reassignment, session);
    if (update?.set.status !== CONVERSATION_STATUS.abandoned) return update;
    const { id_project } = before;
    const event = { _id: eventId, id_project, name: 'request.fully_abandoned', attributes: withUpdate(before, update) };
    await emitInTransaction(session, event, reassignment.actor);
    return update;
  };

/**
 * Moves a conversation of any status to a department and routes it there. Errors: 404 for an unknown conversation, 422
 * for an unknown department.
 */
export const moveToDepartment = async (
  key: ConversationKey,
  { department, nobot }: Destination,
  actor: Actor,
): Promise<StoredConversation> => {
  const request = refView(await find(key));
  const plan = await selectOperators(await planRouting(key.id_project, department, { nobot }), { request });
  return updateConversation(key, reassignWith({ plan, trigger: 'departments', actor }));
};

/** The result of `assign`. */
interface AssignmentResult {
  request: StoredConversation;
  /** False if the conversation was already served or closed, and is therefore unchanged. */
  isRouted: boolean;
}

/** A conversation that is already served or closed has no next status in this row of the status transitions. */
const isAlreadyAssigned = ({ status }: StoredConversation): boolean =>
  nextStatus('assign, assignee found', status) === null;

/** Assigns a conversation unless it is already served or closed. Errors: as in `moveToDepartment`. */
export const assign = async (
  key: ConversationKey,
  { department, nobot }: Destination,
  actor: Actor,
): Promise<AssignmentResult> => {
  const current = await find(key);
  if (isAlreadyAssigned(current)) return { request: current, isRouted: false };
  const context = { request: refView(current) };
  const plan = await selectOperators(await planRouting(key.id_project, department, { nobot }), context);
  const route = reassignWith({ plan, trigger: 'assign', actor });
  const request = await updateConversation(key, (before, session) =>
    isAlreadyAssigned(before) ? null : route(before, session),
  );
  return { request, isRouted: true };
};

/**
 * Hands a conversation over to an agent of its department. A conversation without a department goes to the default
 * department. Does nothing if `isWanted` returns false for the state of the conversation before the change. Errors: 404
 * for an unknown conversation.
 */
export const handOverToAgent = async (
  key: ConversationKey,
  actor: Actor,
  isWanted: (before: StoredConversation) => boolean = () => true,
): Promise<StoredConversation> => {
  const request = await find(key);
  const defaultPlan = await planForConversation(request, { nobot: true });
  const plan = await selectOperators(defaultPlan, { request: refView(request) });
  const route = reassignWith({ plan, trigger: 'agent', actor });
  return updateConversation(key, (before, session) => (isWanted(before) ? route(before, session) : null));
};

/** Selects a bot by id, name or slug. */
interface BotSelector {
  id?: string;
  name?: string;
  slug?: string;
}

const findBotId = async (id_project: string, { id, name, slug }: BotSelector): Promise<string> => {
  const key = name === undefined ? { slug: slug ?? '' } : { name, type: { $ne: IDENTITY_BOT_TYPE } };
  const filter = id === undefined ? key : { _id: id };
  const isValidId = id === undefined || isId(id);
  const bot = isValidId ? await readOne(Bot, { id_project, ...filter, trashed: false }, { _id: 1 }) : null;
  if (!bot) throw notFound('Chatbot not found');
  return String(bot._id);
};

/** Replaces all participants with a bot. Errors: 400 without a selector, 404 for an unknown conversation or bot. */
export const replaceByBot = async (key: ConversationKey, selector: BotSelector, actor: Actor) => {
  await find(key);
  if (selector.id === undefined && selector.name === undefined && selector.slug === undefined)
    throw new AppError(400, 'BOT_MISSING', 'One of id, name or slug of the chatbot is required');
  const bot = await findBotId(key.id_project, selector);
  return { request: await setParticipants(key, [`${BOT_PREFIX}${bot}`], actor), bot };
};

/** Returns the latest routing decisions on a conversation, oldest first. Throws 404 for an unknown conversation. */
export const readDecisions = async (key: ConversationKey): Promise<Decision[]> => {
  const request = await readOne(Conversation, key, { routing: 1 });
  if (!request) throw conversationNotFound(key);
  return (request.routing ?? []) as Decision[];
};
