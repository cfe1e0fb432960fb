/** The actions of triggers. They change conversations with the permissions of a bot or subscription. */
import { AppError } from '../../errors.ts';
import { SYSTEM_SENDER } from '../../models/message.ts';
import { ACTION_PARAMETERS, type ActionKey, type ActionParameters, INFO_SUFFIX } from '../../triggers/definitions.ts';
import * as conversationTags from '../conversations/annotations/conversation-tags.ts';
import { moveToDepartment } from '../conversations/assignment/assign.ts';
import * as participants from '../conversations/assignment/participants.ts';
import {
  type Actor,
  type ConversationKey,
  find,
  isTeam,
  lookUp,
  ownsConversation,
  type StoredConversation,
} from '../conversations/conversation.ts';
import { close, reopen } from '../conversations/lifecycle/close.ts';
import { textRenderer } from '../conversations/messages/build-message.ts';
import { participantName } from '../conversations/participants.ts';
import { post } from '../conversations/posting/post-message.ts';
import { updateFields } from '../conversations/update-fields.ts';
import { findLoggedEvent } from '../events/logged-event.ts';
import { sendToLead } from '../notifications/manual-mails.ts';
import type { StoredAction } from './active-triggers.ts';
import { callBot, launchBot } from './call-bot.ts';
import { isCustomEvent, type TriggerPayload } from './facts.ts';
import { eventAuthor, openConversation } from './open-from-event.ts';
import type { DueRun } from './run-queue.ts';

/** The actor of the calls that the actions of triggers make. */
export const TRIGGER_ACTOR: Actor & { fullname: string } = { kind: 'trigger', id: '_trigger', fullname: 'System' };

/** The input of an action: its conversation, and the event that started the trigger. */
export interface ActionContext {
  conversationKey: ConversationKey;
  run: DueRun;
  payload: TriggerPayload;
}

/** The input of an action on an existing conversation. */
interface ConversationContext extends ActionContext {
  request: StoredConversation;
}

const isTemplate = (text: string): boolean => text.includes('{{') || text.includes('{%');

/**
 * Replaces the labels (`${KEY}`) in a text with the project's texts, and fills a template with the values that the
 * visitor of the conversation may see.
 */
const render = async (conversationKey: ConversationKey, text: string): Promise<string> => {
  const attributes = { templateProcessor: isTemplate(text) };
  return (await textRenderer(conversationKey, TRIGGER_ACTOR)({ text, attributes })).text ?? text;
};

const sendMessage = async (
  { conversationKey, request }: ConversationContext,
  { text, sender = SYSTEM_SENDER.sender, fullName }: ActionParameters<'message.send'>,
): Promise<void> => {
  const isInfo = text.endsWith(INFO_SUFFIX);
  const content = isInfo ? text.slice(0, -INFO_SUFFIX.length) : text;
  const attributes = {
    ...(isTemplate(content) && { templateProcessor: true }),
    ...(isInfo && { subtype: 'info' }),
  };
  const isSystem = sender === SYSTEM_SENDER.sender;
  const ownName = isSystem ? SYSTEM_SENDER.senderFullname : await participantName(conversationKey.id_project, sender);
  const name = fullName ?? (ownName || undefined);
  const language = request.language ?? undefined;
  await post(conversationKey, { text: content, sender, senderFullname: name, language, attributes }, TRIGGER_ACTOR);
};

const sendMail = async (
  { conversationKey }: ConversationContext,
  { text, subject }: ActionParameters<'email.send'>,
) => {
  const mail = {
    text: await render(conversationKey, text),
    subject: subject && (await render(conversationKey, subject)),
  };
  await sendToLead(conversationKey, mail, TRIGGER_ACTOR);
};

/**
 * Closes the conversation. A repeated attempt does not close a conversation that was closed after the run began,
 * because the conversation may have been reopened.
 */
const closeOnce = async ({ conversationKey, run, request }: ConversationContext): Promise<void> => {
  const wasClosedSinceStart = request.closed_at != null && new Date(request.closed_at) >= run.createdAt;
  if (run.attemptsMade === 1 || !wasClosedSinceStart) await close(conversationKey, TRIGGER_ACTOR);
};

/** Sets the status. A repeated attempt emits no event if the conversation already has the status. */
const setStatus = async (
  { conversationKey, run, request }: ConversationContext,
  { status }: ActionParameters<'request.status.update'>,
): Promise<void> => {
  const isRepeated = run.attemptsMade > 1 && request.status === status;
  if (!isRepeated) await updateFields(conversationKey, { status }, TRIGGER_ACTOR);
};

type ConversationActionKey = Exclude<ActionKey, 'request.create'>;

const conversationActions: {
  [K in ConversationActionKey]: (context: ConversationContext, parameters: ActionParameters<K>) => Promise<unknown>;
} = {
  'message.send': sendMessage,
  'email.send': sendMail,
  'bot.calling': ({ run, payload }, { botId, message }) =>
    callBot(run, { bot: botId, text: message || (payload.text as string | undefined) }),
  'request.department.route': ({ conversationKey }, { departmentid }) =>
    moveToDepartment(conversationKey, { department: departmentid }, TRIGGER_ACTOR),
  'request.department.route.self': ({ conversationKey, request }) =>
    moveToDepartment(conversationKey, { department: request.department ?? undefined }, TRIGGER_ACTOR),
  'request.department.bot.launch': async ({ conversationKey, request, ...context }, { text }) => {
    const { participants: after } = await moveToDepartment(
      conversationKey,
      { department: request.department ?? undefined },
      TRIGGER_ACTOR,
    );
    await launchBot(context, after, text);
  },
  'request.bot.launch': async ({ conversationKey, ...context }, { member }) => {
    const { participants: after } = await participants.add(conversationKey, member, TRIGGER_ACTOR);
    await launchBot(context, after);
  },
  'request.participants.join': ({ conversationKey }, { member }) =>
    participants.add(conversationKey, member, TRIGGER_ACTOR),
  'request.participants.leave': ({ conversationKey }, { member }) =>
    participants.remove(conversationKey, member, TRIGGER_ACTOR),
  'request.status.update': setStatus,
  'request.close': closeOnce,
  'request.reopen': ({ conversationKey }) => reopen(conversationKey),
  'request.tags.add': ({ conversationKey }, { tag }) => conversationTags.add(conversationKey, [{ tag }]),
};

/**
 * Throws 403 if a visitor's custom event names the conversation of another visitor. A visitor's event gives no access
 * that the visitor does not have.
 */
const assertAccess = ({ run, payload }: ActionContext, request: StoredConversation): void => {
  if (!isCustomEvent(run.event)) return;
  const author = eventAuthor(payload);
  if (!isTeam(author) && !ownsConversation(request, author) && !request.participants.includes(author.id))
    throw new AppError(403, 'NOT_OWNER', 'request_id: the conversation and the event belong to different visitors');
};

const isOpening = ({ key }: StoredAction): boolean => key === 'request.create';

/** Performs an action. Throws an `AppError` if it is impossible, for example because the conversation was deleted. */
export const performAction = async (action: StoredAction, run: DueRun): Promise<void> => {
  const conversationKey = { id_project: run.id_project, request_id: run.conversation };
  const event = await findLoggedEvent({ id_project: run.id_project, id: run.event_id });
  const context = { conversationKey, run, payload: (event?.payload ?? {}) as TriggerPayload };
  const parameters = ACTION_PARAMETERS[action.key].parse(action.parameters);
  const request = await (isOpening(action) ? lookUp(conversationKey) : find(conversationKey));
  if (!request) return openConversation(context, parameters as ActionParameters<'request.create'>);
  assertAccess(context, request);
  // An existing conversation stays unchanged: the visitor, or an earlier attempt, has opened it.
  if (isOpening(action)) return;
  await conversationActions[action.key as ConversationActionKey]({ ...context, request }, parameters as never);
};
