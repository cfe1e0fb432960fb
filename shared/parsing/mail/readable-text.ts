/** Returns what the author of a mail wrote. */
import { cutQuote } from './cut-quote.ts';
import { htmlToPlain } from './html-to-plain.ts';
import { isForwardSubject } from './subject-prefixes.ts';
import { cutSignature } from './signatures.ts';

/** The HTML is read instead of a plain text that is this many times shorter: a notice, or the footer of a list. */
const MIN_HTML_RATIO = 3;
const MIN_HTML_CHARACTERS = 200;

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');

const wholeText = ({ plain, html }: { plain: string; html: string }): string => {
  if (!html || (plain.trim() && plain.length * MIN_HTML_RATIO > html.length)) return plain;
  const converted = htmlToPlain(html);
  const [plainLength, htmlLength] = [withoutSpaces(plain).length, withoutSpaces(converted).length];
  return plainLength && htmlLength < plainLength * MIN_HTML_RATIO + MIN_HTML_CHARACTERS ? plain : converted;
};

const normalized = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u200b\u2060\ufeff]/g, '')
    .replace(/\u00a0/g, ' ')
    .split('\n')
    // The line that begins a signature ends with a space.
    .map((line) => (line.startsWith('--') && line.trimEnd() === '--' ? '-- ' : line.trimEnd()))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/**
 * Returns the text of a mail: the plain text or, if there is none worth reading, that of the HTML. Of a reply, quoted
 * mails and the signature are cut.
 */
export const readableText = (
  parts: { plain: string; html: string },
  { isReply, subject }: { isReply: boolean; subject: string },
): string => {
  const text = normalized(wholeText(parts));
  if (!isReply || isForwardSubject(subject)) return text;
  return cutSignature(cutQuote(text));
};
