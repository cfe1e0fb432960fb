/** Opens conversations for the members who emit custom events, with the permissions of these members. */
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { type ActionParameters, HIDDEN_SUFFIX } from '../../triggers/definitions.ts';
import { AGENT_ROLES } from '../../wire/roles.ts';
import type { Actor, ConversationKey } from '../conversations/conversation.ts';
import { MAX_PARTICIPANTS } from '../conversations/participants.ts';
import { post } from '../conversations/posting/post-message.ts';
import { INITIAL_STATUSES } from '../conversations/transitions.ts';
import { isCustomEvent, type TriggerPayload } from './facts.ts';

const MAX_TEXT = 4000;
const MAX_NAME = 200;
const MAX_EMAIL = 320;

const optionalText = (maxLength: number) => z.string().min(1).max(maxLength).optional().catch(undefined);

/** The attributes of an event that describe the conversation; invalid attributes are ignored. */
const EventAttributes = z.object({
  department: optionalText(MAX_NAME),
  participants: z.array(z.string().min(1).max(MAX_NAME)).max(MAX_PARTICIPANTS).optional().catch(undefined),
  language: optionalText(MAX_NAME),
  fullname: optionalText(MAX_NAME),
  email: optionalText(MAX_EMAIL),
  sourcePage: optionalText(MAX_TEXT),
  attributes: z
    .object({ client: optionalText(MAX_TEXT), sourcePage: optionalText(MAX_TEXT) })
    .optional()
    .catch(undefined),
});

const TEAM_ROLES = new Set<string>(AGENT_ROLES);

/** The author fields in the payload of a custom event. */
interface AuthorFields {
  createdBy?: string;
  project_user?: { _id: unknown; role: string };
  user?: { firstname?: string; lastname?: string };
}

/** Returns the author of a custom event: a member of the project or, without a membership, a program. */
export const eventAuthor = (payload: TriggerPayload): Actor => {
  const { createdBy: id = '', project_user, user } = payload as AuthorFields;
  if (!project_user) return { kind: 'subscription', id };
  const { _id, role } = project_user;
  const fullname = [user?.firstname, user?.lastname].filter(Boolean).join(' ') || undefined;
  return { kind: TEAM_ROLES.has(role) ? 'user' : 'guest', id, role, membership: String(_id), fullname };
};

const participantsOf = (value?: string[] | string): string[] | undefined =>
  value === undefined || Array.isArray(value) ? value : [value];

/**
 * Opens a conversation with a first message for the member who emitted the custom event. Errors: 422 for any other
 * event, or if a program emitted the event; otherwise as for the first message of a visitor.
 */
export const openConversation = async (
  {
    conversationKey,
    run,
    payload,
  }: { conversationKey: ConversationKey; run: { event: string }; payload: TriggerPayload },
  { text, departmentid, participants, status, preflight, type, subtype }: ActionParameters<'request.create'>,
): Promise<void> => {
  const author = eventAuthor(payload);
  if (!isCustomEvent(run.event) || !author.membership)
    throw new AppError(422, 'INVALID', 'request.create: needs a custom event emitted by a member of the project');
  const given = EventAttributes.parse(payload.attributes ?? {});
  const isHidden = text.endsWith(HIDDEN_SUFFIX);
  const incoming = {
    text: isHidden ? text.slice(0, -HIDDEN_SUFFIX.length) : text,
    type,
    department: departmentid ?? given.department,
    participants: participantsOf(participants) ?? given.participants,
    preflight: isHidden || preflight,
    request_status: isHidden ? INITIAL_STATUSES['opened as temporary'] : status,
    language: given.language,
    senderFullname: given.fullname,
    email: given.email,
    sourcePage: given.attributes?.sourcePage ?? given.sourcePage,
    userAgent: given.attributes?.client,
    attributes: subtype || isHidden ? { subtype: subtype ?? 'info' } : undefined,
  };
  await post(conversationKey, incoming, author);
};
