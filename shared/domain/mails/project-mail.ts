/**
 * Adapts an email to its project: applies the project's sender, templates and subjects, and adds the headers that
 * connect the email to its conversation.
 */
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { isEditable } from '../../mail/default-templates.ts';
import { instanceSender, messageIdOf, type OutgoingMail } from '../../mail/deliver.ts';
import { publicUrl } from '../../mail/links.ts';
import { type MailText, oneLine, sanitizeInline } from '../../mail/mail-text.ts';
import { Conversation } from '../../models/conversation.ts';
import { escapeLines } from '../../security/escape-html.ts';
import { renderMailTemplate } from '../../templates/render-template.ts';
import { isId } from '../../wire/view.ts';
import type { LeasedMail } from './mail-leases.ts';
import { recordMail, threadOf } from './mail-threads.ts';
import { ownTemplate } from './own-templates.ts';
import { replyAddress } from './reply-address.ts';
import { mayUseSender, type ProjectSender } from './sender-settings.ts';

/** Templates of emails to the lead of a conversation. Replies to these emails belong to the conversation. */
const LEAD_TEMPLATES = new Set(['ticket', 'newMessage', 'emailDirect', 'sendTranscript']);
/** Templates of emails whose text a person has written. */
const PERSONAL_TEMPLATES = new Set(['ticket', 'emailDirect']);

/** The fields of a conversation that its emails need. */
interface MailConversation {
  _id: unknown;
  request_id: string;
  ticket_id?: number;
  subject?: string;
  first_text?: string;
  status?: number;
  channel?: { name: string };
  language?: string;
  snapshot?: { lead?: { fullname?: string; email?: string } };
}

const CONVERSATION_FIELDS = {
  ...{ request_id: 1, ticket_id: 1, subject: 1, first_text: 1, status: 1, channel: 1, language: 1 },
  ...{ 'snapshot.lead.fullname': 1, 'snapshot.lead.email': 1 },
} as const;

const findConversation = async (id_project: string, record?: string) =>
  record && isId(record)
    ? Conversation.findOne({ id_project, _id: record }, CONVERSATION_FIELDS).lean<MailConversation>()
    : null;

/**
 * Returns the conversation of an email. Reads the conversation's record for an email to the lead and for one with the
 * project's own template; for any other email, the fields that are stored with the email are enough.
 */
const conversationOf = async ({ mail: { template }, record, conversation }: LeasedMail, sender: ProjectSender) => {
  const own = isEditable(template) ? ownTemplate(sender.settings, template) : {};
  const needsRecord = LEAD_TEMPLATES.has(template) || own.html !== undefined || own.subject !== undefined;
  if (conversation && !needsRecord) return { _id: record, ...conversation } as MailConversation;
  return findConversation(sender.id, record);
};

const leadOf = ({ snapshot }: MailConversation) => snapshot?.lead ?? {};

/**
 * Returns the values for a project's template: those of the built-in template, and the additional names, such as
 * `savedRequest`, that templates written for deployed clients use.
 */
const templateValues = (
  { mail: { to, values } }: LeasedMail,
  { id, name }: ProjectSender,
  conversation: MailConversation | null,
): object => {
  const { text = '', sender, transcript = '', topic, ...rest } = values as Record<string, string>;
  const project = { _id: id, name };
  const { request_id, ticket_id, subject, first_text, status, channel, language } = conversation ?? {};
  const request = conversation && {
    ...{ _id: String(conversation._id), request_id, ticket_id, subject: subject ?? topic, first_text, status, channel },
    ...{ language, lead: leadOf(conversation), id_project: id },
  };
  return {
    ...rest,
    ...{ project, savedProject: project, request, savedRequest: request, user: { email: to } },
    ...{ sender, topic, message: { text, senderFullname: sender } },
    msgText: escapeLines(text || topic || ''),
    transcript: escapeLines(transcript),
    baseScope: { baseUrl: publicUrl(), replyEnabled: config.EMAIL_INBOUND_DOMAIN !== undefined },
  };
};

/**
 * Renders the project's own template and subject in place of the built-in ones. If rendering fails, the built-in ones
 * are used, so that the email is sent anyway.
 */
const withOwnTemplate = async (
  text: MailText,
  leased: LeasedMail,
  { sender, conversation }: { sender: ProjectSender; conversation: MailConversation | null },
): Promise<MailText & { html?: string }> => {
  const { template } = leased.mail;
  if (!isEditable(template)) return text;
  const own = ownTemplate(sender.settings, template);
  if (!own.html && !own.subject) return text;
  const values = templateValues(leased, sender, conversation);
  const render = (source: string, syntax: 'mail-html' | 'mail-subject') =>
    renderMailTemplate(source, values, { project: sender.id, syntax });
  try {
    const body = own.html ? await render(own.html, 'mail-html') : undefined;
    const subject = own.subject ? oneLine((await render(own.subject, 'mail-subject')).text) : text.subject;
    return { ...text, ...body, subject: subject || text.subject };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger.warn({ project: sender.id, template, reason: error.message }, "rendering a project's mail template failed");
    return text;
  }
};

/**
 * Returns the sender address. If the project may not use its own address, this is the address of the instance, and the
 * project's address becomes the Reply-To.
 */
const senderFields = (sender: ProjectSender): Pick<OutgoingMail, 'from' | 'replyTo'> => {
  const { from } = sender;
  if (!from) return {};
  if (mayUseSender(sender)) return { from };
  return {
    from: { ...instanceSender(), name: sanitizeInline(from.name || sender.name) },
    replyTo: from.address,
  };
};

/**
 * Returns the fields that connect an email to the other emails of its conversation. Records the email if it is
 * addressed to the lead.
 */
const conversationFields = async (
  { id, mail: { to, template } }: LeasedMail,
  id_project: string,
  conversation: MailConversation,
): Promise<Pick<OutgoingMail, 'headers' | 'thread' | 'replyTo'>> => {
  const { request_id, ticket_id, subject } = conversation;
  const headers = {
    'X-TILEDESK-REQUEST-ID': oneLine(request_id),
    ...(ticket_id !== undefined && { 'X-TILEDESK-TICKET-ID': String(ticket_id) }),
  };
  if (!LEAD_TEMPLATES.has(template) || leadOf(conversation).email !== to) return { headers };
  const thread = await threadOf({ id_project, request_id });
  const mail = { id_project, request_id, direction: 'out' as const, address: to };
  await recordMail({ ...mail, messageIdHeader: messageIdOf(id), subject });
  return { headers, thread, replyTo: replyAddress({ _id: conversation._id, id_project, request_id }) };
};

/** Returns the fields of an email as its project sends it. `text` is the built-in text. */
export const projectMail = async (
  leased: LeasedMail,
  text: MailText,
  sender: ProjectSender,
): Promise<MailText & Partial<OutgoingMail>> => {
  const conversation = await conversationOf(leased, sender);
  const own = senderFields(sender);
  const { headers, thread, replyTo } = conversation ? await conversationFields(leased, sender.id, conversation) : {};
  return {
    ...own,
    ...(await withOwnTemplate(text, leased, { sender, conversation })),
    replyTo: text.replyTo ?? replyTo ?? own.replyTo,
    thread,
    headers: { 'X-TILEDESK-PROJECT-ID': sender.id, ...headers },
    isPersonal: PERSONAL_TEMPLATES.has(leased.mail.template),
  };
};
