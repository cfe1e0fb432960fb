/** Templates of emails about conversations, to the team and to leads. */
import { type MailText, mailText, oneLine, sanitizeInline } from './mail-text.ts';

const MAX_QUOTED_CHARACTERS = 4000;

/** The values that describe a conversation in an email. `project`, `visitor` and `topic` are untrusted text. */
export interface MailContext {
  project: string;
  /** The visitor's name. */
  visitor: string;
  /** The subject of the conversation or, without one, its first text. */
  topic: string;
  ticket?: number;
  link?: string;
}

/** The values of an email about a message in a conversation. */
interface MessageContext extends MailContext {
  sender: string;
  text: string;
}

/** Quotes untrusted text line by line, so that no line can be mistaken for the email's own text. */
const quoteLines = (text: string): string =>
  text
    .slice(0, MAX_QUOTED_CHARACTERS)
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n');

const subjectLine = ({ project, ticket, topic }: MailContext, event: string): string =>
  [`[${sanitizeInline(project)}]`, ticket === undefined ? '' : `#${ticket}`, `${event}:`, sanitizeInline(topic)]
    .filter(Boolean)
    .join(' ');

const linkParagraph = ({ link }: MailContext): string[] => (link ? [`Open the conversation:\n${link}`] : []);

const messageMail = (values: MessageContext, event: string, intro: string): MailText =>
  mailText(subjectLine(values, event), `${intro}\n\n${quoteLines(values.text)}`, ...linkParagraph(values));

export const conversationTemplates = {
  pooledRequest: (context: MailContext) =>
    mailText(
      subjectLine(context, 'Waiting for an agent'),
      `${sanitizeInline(context.visitor)} has started a conversation that no agent has joined yet:`,
      quoteLines(context.topic),
      ...linkParagraph(context),
    ),
  assignedRequest: (context: MailContext) =>
    mailText(
      subjectLine(context, 'Assigned to you'),
      `The conversation with ${sanitizeInline(context.visitor)} was assigned to you:`,
      quoteLines(context.topic),
      ...linkParagraph(context),
    ),
  pooledEmailMessage: (values: MessageContext) =>
    messageMail(
      values,
      'New message',
      `${sanitizeInline(values.sender)} has written in a conversation that no agent has joined yet:`,
    ),
  assignedEmailMessage: (values: MessageContext) =>
    messageMail(values, 'New message', `${sanitizeInline(values.sender)} has written to you:`),
  newMessageFollower: (values: MessageContext) =>
    messageMail(
      values,
      'New message',
      `${sanitizeInline(values.sender)} has written in a conversation that you follow:`,
    ),
  newMessage: (values: MessageContext) =>
    messageMail(
      values,
      'New reply',
      `${sanitizeInline(values.sender)} of ${sanitizeInline(values.project)} has replied to you:`,
    ),
  ticket: ({ topic, text, ticket }: MessageContext): MailText => ({
    subject: [`Re:`, oneLine(topic), ticket === undefined ? '' : `[#${ticket}]`].filter(Boolean).join(' '),
    text: `${text}\n`,
  }),
  sendTranscript: (values: MailContext & { transcript: string }) =>
    mailText(subjectLine(values, 'Transcript'), `The conversation is closed. Its transcript:\n\n${values.transcript}`),
  emailDirect: ({ subject, text, replyto }: { subject: string; text: string; replyto?: string }): MailText => ({
    subject: oneLine(subject),
    text,
    ...(replyto && { replyTo: replyto }),
  }),
};
