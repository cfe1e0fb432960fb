/** Builds the plain text of emails. */

/** The result of a template. */
export interface MailText {
  subject: string;
  text: string;
  replyTo?: string;
}

const MAX_SUBJECT_CHARACTERS = 200;
const MAX_NAME_CHARACTERS = 80;

/** Builds an email from a greeting and the given paragraphs. */
export const mailText = (subject: string, ...paragraphs: string[]): MailText => ({
  subject,
  text: `${['Hello,', ...paragraphs].join('\n\n')}\n`,
});

/** Reduces a string to one line of at most 200 characters. */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_SUBJECT_CHARACTERS);

/** Reduces untrusted text to one short line that mail clients do not turn into a link. */
export const sanitizeInline = (text: string): string =>
  oneLine(text)
    .replace(/:\/\/|\.(?=\S)/g, ' ')
    .trim()
    .slice(0, MAX_NAME_CHARACTERS);
