/** Mails on conversations: to the team, and to whom it talks with (contract b 2.9). */
import { type Text, letter, oneLine, quoted } from './words.ts';

const MOST_WORDS = 4000;

/** A conversation as a mail tells of it; all of it other people's words. */
export interface About {
  project: string;
  /** Whom it is with. */
  visitor: string;
  /** What it is about. */
  topic: string;
  ticket?: number;
  link?: string;
}

/** Something that was said in it. */
interface Said extends About {
  sender: string;
  text: string;
}

/** Other people's words as such, so that none of them passes for ours. */
const cited = (text: string): string =>
  text
    .slice(0, MOST_WORDS)
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n');

const subjectOf = ({ project, ticket, topic }: About, news: string): string =>
  [`[${quoted(project)}]`, ticket === undefined ? '' : `#${ticket}`, `${news}:`, quoted(topic)]
    .filter(Boolean)
    .join(' ');

const opening = ({ link }: About): string[] => (link ? [`Open the conversation:\n${link}`] : []);

const said = (values: Said, news: string, intro: string): Text =>
  letter(subjectOf(values, news), `${intro}\n\n${cited(values.text)}`, ...opening(values));

export const conversationTemplates = {
  pooledRequest: (about: About) =>
    letter(
      subjectOf(about, 'Somebody waits for an answer'),
      `${quoted(about.visitor)} has written, and nobody of the team takes part yet:`,
      cited(about.topic),
      ...opening(about),
    ),
  assignedRequest: (about: About) =>
    letter(
      subjectOf(about, 'A conversation is yours'),
      `the conversation with ${quoted(about.visitor)} was given to you:`,
      cited(about.topic),
      ...opening(about),
    ),
  pooledEmailMessage: (values: Said) =>
    said(values, 'New message', `${quoted(values.sender)} writes, and nobody of the team takes part yet:`),
  assignedEmailMessage: (values: Said) => said(values, 'New message', `${quoted(values.sender)} writes to you:`),
  newMessageFollower: (values: Said) =>
    said(values, 'New message', `${quoted(values.sender)} writes in a conversation that you follow:`),
  newMessage: (values: Said) =>
    said(values, 'An answer for you', `${quoted(values.sender)} of ${quoted(values.project)} has answered you:`),
  ticket: ({ topic, text, ticket }: Said): Text => ({
    subject: [`Re:`, oneLine(topic), ticket === undefined ? '' : `[#${ticket}]`].filter(Boolean).join(' '),
    text: `${text}\n`,
  }),
  sendTranscript: (values: About & { transcript: string }) =>
    letter(
      subjectOf(values, 'What was said'),
      `the conversation is closed. This was said in it:\n\n${values.transcript}`,
    ),
  emailDirect: ({ subject, text, replyto }: { subject: string; text: string; replyto?: string }): Text => ({
    subject: oneLine(subject),
    text,
    ...(replyto && { replyTo: replyto }),
  }),
};
