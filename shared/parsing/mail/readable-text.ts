/** Extracts the author's own text from an email. */
import { cutQuote } from './cut-quote.ts';
import { htmlToPlain } from './html-to-plain.ts';
import { isForwardSubject } from './subject-prefixes.ts';
import { cutSignature } from './signatures.ts';

/**
 * The text of the HTML is used if it has at least MIN_HTML_RATIO times as many characters as the plain text, plus
 * MIN_HTML_CHARACTERS: plain text that is that much shorter is only a notice or a footer. HTML that, with its tags,
 * has fewer than MIN_HTML_RATIO times as many characters as the plain text is not converted.
 */
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
    .replace(/[\0\u200b\u2060\ufeff]/g, '')
    .replace(/\u00a0/g, ' ')
    .split('\n')
    // The line above a signature is `-- `, with a space at its end.
    .map((line) => (line.startsWith('--') && line.trimEnd() === '--' ? '-- ' : line.trimEnd()))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/**
 * Returns the text of an email: the plain text or, if that is missing or only a notice, the text of the HTML. Quoted
 * emails and the signature are cut from a reply.
 */
export const readableText = (
  parts: { plain: string; html: string },
  { isReply, subject }: { isReply: boolean; subject: string },
): string => {
  const text = normalized(wholeText(parts));
  if (!isReply || isForwardSubject(subject)) return text;
  return cutSignature(cutQuote(text));
};
