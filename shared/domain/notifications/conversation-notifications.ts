/** Notifies the team by email about conversations that wait for an agent or have been assigned to an agent. */
import { CONVERSATION_STATUS } from '../../models/conversation.ts';
import * as mails from '../mails/mail-queue.ts';
import { sendToTeam } from './budgeted-mails.ts';
import {
  assigneeRecipients,
  eligibleRecipients,
  type MailConversation,
  mailContext,
  mailTarget,
} from './mail-context.ts';
import { isBlocked, isEnabled } from './notification-settings.ts';
import { findSenderProject, type SenderProject } from './recipients.ts';

const REPEAT_INTERVAL_MS = 3 * 86_400_000;

const notifyWaiting = async (request: MailConversation, sender: SenderProject): Promise<void> => {
  if (!isEnabled(sender.settings, 'pooled')) return;
  const record = String(request._id);
  const values = mailContext(sender, request);
  await sendToTeam(await eligibleRecipients(request), mailTarget(request), {
    buildMail: (to) => ({ template: 'pooledRequest', to, values }),
    isWanted: async ({ email: to, settings }) =>
      isEnabled(settings, 'pooled') && !(await mails.wasQueued('pooledRequest', { to, record }, REPEAT_INTERVAL_MS)),
  });
};

const notifyAssigned = async (request: MailConversation, sender: SenderProject): Promise<void> => {
  if (!isEnabled(sender.settings, 'assigned')) return;
  const values = mailContext(sender, request);
  await sendToTeam(await assigneeRecipients(request), mailTarget(request), {
    buildMail: (to) => ({ template: 'assignedRequest', to, values }),
    isWanted: ({ settings }) => isEnabled(settings, 'assigned.toyou'),
  });
};

/**
 * Notifies the team about a conversation. If it is unserved, emails each eligible agent about it at most once every
 * three days. If it is served, emails the assignee, provided that the assignee is one of the `added` participants.
 * Sends nothing during the preflight.
 */
export const notifyConversation = async (request: MailConversation, added = request.participants): Promise<void> => {
  const sender = request.preflight ? null : await findSenderProject(request.id_project);
  if (!sender || isBlocked(sender.settings, 'blocked')) return;
  const [first = ''] = request.participants;
  if (request.status === CONVERSATION_STATUS.unserved) await notifyWaiting(request, sender);
  if (request.status === CONVERSATION_STATUS.served && added.includes(first)) await notifyAssigned(request, sender);
};
