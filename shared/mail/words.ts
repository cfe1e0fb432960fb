/** What all our mails are made of: plain text, for it shows everywhere and hides nothing. */

/** What a template makes. */
export interface Text {
  subject: string;
  text: string;
  replyTo?: string;
}

const SUBJECT = 200;
const NAME = 80;

/** A mail that begins with a greeting. */
export const letter = (subject: string, ...paragraphs: string[]): Text => ({
  subject,
  text: `${['Hello,', ...paragraphs].join('\n\n')}\n`,
});

/** Somebody's words in one line. */
export const oneLine = (words: string): string =>
  words
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SUBJECT);

/** Somebody else's words in our mail: one short line, nothing that a mail program makes a link of. */
export const quoted = (words: string): string =>
  oneLine(words)
    .replace(/:\/\/|\.(?=\S)/g, ' ')
    .trim()
    .slice(0, NAME);
