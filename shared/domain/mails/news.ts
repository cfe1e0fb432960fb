/** Events that mails are written on, and what is said at the end of a conversation (contract b 2.7, 2.9). */
import { config } from '../../config.ts';
import type { EventRef } from '../../jobs.ts';
import * as mails from '../access/mail.ts';
import { toldOf } from '../activities/told.ts';
import * as leads from '../conversations/leads.ts';
import { withOwnTranscript } from '../conversations/transcripts.ts';
import { aboutOf, type Conversation } from './conversation.ts';
import { type Message, tellOfMessage } from './message-mails.ts';
import { MOST_TO_ONE } from './budget.ts';
import { sendAutomatic, sendToTeam } from './outgoing.ts';
import { leaders, type Recipient, senderOf } from './recipients.ts';
import { tellOfRequest } from './request-mails.ts';

/** Signs of a transcript that a mail holds: the last ones. */
const MOST_SIGNS = 200_000;

interface Settings {
  email?: { autoSendTranscriptToRequester?: unknown };
}

/** The lead's address, where it is known to be its own; only projects led by somebody verified write to it. */
const trustedLead = async ({ id_project, lead }: Conversation, team: Recipient[]): Promise<string | undefined> => {
  const to = team.length ? lead?.email : undefined;
  if (!to || !lead || !(await leads.isTrusted({ id_project, _id: String(lead._id) }, to))) return undefined;
  return (await mails.isFlooded('sendTranscript', to, MOST_TO_ONE)) ? undefined : to;
};

/** What was said goes to whom it was said to, and to who lead the project, where the project wants that. */
const sendTranscript = async (request: Conversation): Promise<void> => {
  const sender = await senderOf(request.id_project);
  if ((sender?.settings as Settings | undefined)?.email?.autoSendTranscriptToRequester !== true || !sender) return;
  const { transcript = '' } = (await withOwnTranscript(request)) as { transcript?: string };
  const values = { ...aboutOf(sender, request), transcript: transcript.slice(-MOST_SIGNS) };
  const write = (to: string) => ({ template: 'sendTranscript' as const, to, values });
  const about = { id_project: request.id_project, about: String(request._id) };
  const team = await leaders(request.id_project);
  await sendToTeam(team, about, { write, wants: () => true });
  const lead = await trustedLead(request, team);
  if (lead && !team.some(({ email }) => email === lead)) await sendAutomatic(write(lead), about);
};

interface Changed {
  request: Conversation;
  patch: Record<string, unknown>;
  addedParticipants: string[];
  notify: boolean;
}

const WRITERS: Record<string, (payload: never) => Promise<void>> = {
  'request.create': (request: Conversation) => tellOfRequest(request),
  'request.participants.update': ({ request, addedParticipants }: Changed) => tellOfRequest(request, addedParticipants),
  'request.updated': async ({ request, patch }: Changed) => {
    // Only now its visitor has really written; whoever it was given to by that is told of in an event of its own.
    if (patch.preflight === false) await tellOfRequest(request, []);
  },
  'message.create': (message: Message) => tellOfMessage(message),
  'request.close.extended': async ({ request, notify }: Changed) => {
    if (notify) await sendTranscript(request);
  },
};

/** Write the mails that an event leads to. */
export const writeOn = async (event: EventRef): Promise<void> => {
  if (!config.EMAIL_NOTIFICATION_ENABLED) return;
  const told = await toldOf(event);
  if (told) await WRITERS[event.event]?.(told.payload as never);
};
