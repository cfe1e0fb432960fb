/**
 * Enqueues the emails that events cause: notifications, transcripts of conversations, and reports that the usage of a
 * quota has reached a checkpoint, such as 75%.
 */
import { config } from '../../config.ts';
import type { EventRef } from '../../job-definitions.ts';
import { findLoggedEvent, type LoggedEvent } from '../events/logged-event.ts';
import { withVisitorTranscript } from '../conversations/transcripts/transcripts.ts';
import * as leads from '../leads/leads.ts';
import { MAX_MAILS_PER_RECIPIENT_PER_HOUR } from '../mails/budget.ts';
import * as mails from '../mails/mail-queue.ts';
import { sendAutomatic, sendToTeam } from './budgeted-mails.ts';
import { notifyConversation } from './conversation-notifications.ts';
import { type MailConversation, mailContext, mailTarget } from './mail-context.ts';
import { type NotifiedMessage, notifyMessage } from './message-notifications.ts';
import { notifyCheckpoint, type ReachedCheckpoint } from './quota-mails.ts';
import { adminRecipients, findSenderProject, type Recipient } from './recipients.ts';

/** Only the end of a longer transcript is sent. */
const MAX_TRANSCRIPT_CHARACTERS = 200_000;

interface TranscriptSettings {
  email?: { autoSendTranscriptToRequester?: unknown };
}

/**
 * Returns the lead's address if it comes from a trusted source (a visitor has not merely typed it), the project has an
 * owner or admin with a verified address, and the lead's address has not reached the hourly limit on transcripts.
 */
const trustedLeadAddress = async (
  { id_project, lead }: MailConversation,
  team: Recipient[],
): Promise<string | undefined> => {
  const to = team.length ? lead?.email : undefined;
  if (!to || !lead || !(await leads.isTrusted({ id_project, _id: String(lead._id) }, to))) return undefined;
  return (await mails.isRateLimited('sendTranscript', to, MAX_MAILS_PER_RECIPIENT_PER_HOUR)) ? undefined : to;
};

/**
 * Emails the transcript to the project's owners and admins and to the lead, if the project has enabled this in its
 * settings.
 */
const sendTranscript = async (request: MailConversation): Promise<void> => {
  const sender = await findSenderProject(request.id_project);
  if ((sender?.settings as TranscriptSettings | undefined)?.email?.autoSendTranscriptToRequester !== true || !sender)
    return;
  const { transcript = '' } = (await withVisitorTranscript(request)) as { transcript?: string };
  const values = { ...mailContext(sender, request), transcript: transcript.slice(-MAX_TRANSCRIPT_CHARACTERS) };
  const buildMail = (to: string) => ({ template: 'sendTranscript' as const, to, values });
  const target = mailTarget(request);
  const team = await adminRecipients(request.id_project);
  await sendToTeam(team, target, { buildMail, isWanted: () => true });
  const lead = await trustedLeadAddress(request, team);
  if (lead && !team.some(({ email }) => email === lead)) await sendAutomatic(buildMail(lead), target);
};

interface ConversationChange {
  request: MailConversation;
  patch: Record<string, unknown>;
  addedParticipants: string[];
  notify: boolean;
}

/** The only event in `NOTIFIERS` that concerns no conversation; `EMAIL_NOTIFICATION_ENABLED` does not apply to it. */
const CHECKPOINT_EVENT = 'quote.checkpoint';

const NOTIFIERS: Record<string, (payload: never, context?: LoggedEvent['context']) => Promise<void>> = {
  'request.create': (request: MailConversation) => notifyConversation(request),
  'request.participants.update': ({ request, addedParticipants }: ConversationChange) =>
    notifyConversation(request, addedParticipants),
  'request.updated': async ({ request, patch }: ConversationChange) => {
    // For the team, a conversation starts when its preflight ends. The assignee is not notified here, because an
    // assignment emits an event of its own.
    if (patch.preflight === false) await notifyConversation(request, []);
  },
  'message.create': (message: NotifiedMessage, context) => notifyMessage(message, context),
  'request.close.extended': async ({ request, notify }: ConversationChange) => {
    if (notify) await sendTranscript(request);
  },
  [CHECKPOINT_EVENT]: (reached: ReachedCheckpoint) => notifyCheckpoint(reached),
};

/** Enqueues the emails that an event causes; those about conversations only if `EMAIL_NOTIFICATION_ENABLED` is set. */
export const notifyOn = async (event: EventRef): Promise<void> => {
  if (!config.EMAIL_NOTIFICATION_ENABLED && event.event !== CHECKPOINT_EVENT) return;
  const loggedEvent = await findLoggedEvent(event);
  if (loggedEvent) await NOTIFIERS[event.event]?.(loggedEvent.payload as never, loggedEvent.context);
};
