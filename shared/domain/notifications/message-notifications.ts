/**
 * Sends emails about new messages to leads, the team and followers. Private messages between teammates are never
 * emailed.
 */
import { isPrivate } from '../../models/message.ts';
import { MAX_MAILS_PER_RECIPIENT_PER_HOUR } from '../mails/budget.ts';
import * as mails from '../mails/mail-queue.ts';
import { sendAutomatic, sendToTeam } from './budgeted-mails.ts';
import { isRejectedAuthor } from './mail-authors.ts';
import {
  assigneeRecipients,
  eligibleRecipients,
  type MailConversation,
  mailContext,
  mailTarget,
} from './mail-context.ts';
import { isBlocked, isEnabled } from './notification-settings.ts';
import {
  findSenderProject,
  isVisitorOnline,
  type Recipient,
  type SenderProject,
  teammateRecipients,
} from './recipients.ts';

const EMAIL_CHANNELS = new Set(['email', 'form']);

/** The fields of a message that notifications use. */
export interface NotifiedMessage {
  sender: string;
  senderFullname?: string;
  text?: string;
  type: string;
  attributes?: { subtype?: unknown };
  request?: MailConversation;
}

/** A message, its conversation, and the project on whose behalf emails about the message are sent. */
interface MessageNotification {
  message: NotifiedMessage;
  request: MailConversation;
  project: SenderProject;
  /** Whether the email about the new conversation contains the text of the message. */
  isFirstText?: boolean;
}

type MessageTemplate = 'ticket' | 'newMessage' | 'newMessageFollower' | 'pooledEmailMessage' | 'assignedEmailMessage';

const buildMessageMail = (
  template: MessageTemplate,
  to: string,
  { message, request, project }: MessageNotification,
): mails.NewMail => {
  const { text, type, senderFullname, sender: authorId } = message;
  const values = { ...mailContext(project, request), sender: senderFullname || authorId, text: text || type };
  return { template, to, values };
};

const notifyFollowers = async (notification: MessageNotification): Promise<void> => {
  const { request, message, project } = notification;
  if (!request.followers.length || isBlocked(project.settings, 'blocked')) return;
  const followers = await teammateRecipients(request.id_project, { memberships: request.followers });
  await sendToTeam(followers, mailTarget(notification.request), {
    buildMail: (to) => buildMessageMail('newMessageFollower', to, notification),
    isWanted: ({ id, verified, settings }) =>
      verified && id !== message.sender && isEnabled(settings, 'ticket.follower'),
  });
};

const TEAM_TEMPLATES = {
  'ticket.pooled': 'pooledEmailMessage',
  'ticket.assigned.toyou': 'assignedEmailMessage',
} as const;

const notifyTeammates = (
  setting: keyof typeof TEAM_TEMPLATES,
  people: Recipient[],
  notification: MessageNotification,
): Promise<void> =>
  sendToTeam(people, mailTarget(notification.request), {
    buildMail: (to) => buildMessageMail(TEAM_TEMPLATES[setting], to, notification),
    isWanted: ({ settings }) => isEnabled(settings, setting),
  });

/**
 * Emails a lead's message to the assignee or, while the conversation has no participants, to every eligible agent.
 * Skips the first text, because the email about the new conversation contains it.
 */
const notifyTeam = async (notification: MessageNotification): Promise<void> => {
  const { request, project, isFirstText } = notification;
  if (isFirstText || isBlocked(project.settings, 'blocked')) return;
  if (!request.participants.length && isEnabled(project.settings, 'ticket.pooled'))
    await notifyTeammates('ticket.pooled', await eligibleRecipients(request), notification);
  if (request.participants.length && isEnabled(project.settings, 'ticket.assigned'))
    await notifyTeammates('ticket.assigned.toyou', await assigneeRecipients(request), notification);
};

const reachesLead = async ({ request, project: { settings } }: MessageNotification): Promise<boolean> => {
  if (EMAIL_CHANNELS.has(request.channel.name)) return true;
  if (isBlocked(settings, 'offline.blocked') || !isEnabled(settings, 'offline.enabled')) return false;
  return !(await isVisitorOnline(request.id_project, request.requester && String(request.requester._id)));
};

/**
 * Sends a teammate's message to the lead by email if the conversation's channel is `email` or `form`, or if the lead
 * is offline and the project has not disabled such emails. If an SMTP server is configured, the teammate's address
 * must be verified.
 */
const notifyLead = async (notification: MessageNotification): Promise<void> => {
  const { request, message } = notification;
  const to = request.lead?.email;
  const template = EMAIL_CHANNELS.has(request.channel.name) ? 'ticket' : 'newMessage';
  const [author] = to ? await teammateRecipients(request.id_project, { users: [message.sender] }) : [];
  if (!to || !author || isRejectedAuthor(author) || !(await reachesLead(notification))) return;
  if (!(await mails.isRateLimited(template, to, MAX_MAILS_PER_RECIPIENT_PER_HOUR)))
    await sendAutomatic(buildMessageMail(template, to, notification), mailTarget(notification.request));
};

const isSystemInfo = ({ attributes }: NotifiedMessage): boolean => /^info(\/|$)/.test(String(attributes?.subtype));

/**
 * Notifies the followers of a message's conversation. Also notifies the team of a lead's message (the assignee or the
 * eligible agents), and the lead of a teammate's message. Skips private messages, system messages and conversations in
 * preflight.
 */
export const notifyMessage = async (
  message: NotifiedMessage,
  { isFirstText }: { isFirstText?: boolean } = {},
): Promise<void> => {
  const { request } = message;
  if (!request || request.preflight || isPrivate(message) || isSystemInfo(message)) return;
  const isFromLead = message.sender === request.lead?.lead_id;
  // Assignees and eligible agents are emailed only in the channels `email` and `form`; followers in all channels.
  const emailsTeamOrLead = isFromLead ? EMAIL_CHANNELS.has(request.channel.name) : Boolean(request.lead?.email);
  const project = emailsTeamOrLead || request.followers.length ? await findSenderProject(request.id_project) : null;
  if (!project) return;
  const notification = { message, request, project, isFirstText };
  await notifyFollowers(notification);
  if (emailsTeamOrLead) await (isFromLead ? notifyTeam(notification) : notifyLead(notification));
};
