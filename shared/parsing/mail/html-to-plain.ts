/** Converts the HTML of an email to plain text in which quotes are marked with `>`. */
import { load } from 'cheerio';
import { compile, type HtmlToTextOptions } from 'html-to-text';

const MAX_HTML_CHARACTERS = 2_000_000;
const MAX_DEPTH = 200;

const oneBreak = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, maxInputLength: MAX_HTML_CHARACTERS },
  selectors: [
    ...['img', 'hr', '[style*="display:none"]', '[style*="display: none"]'].map((selector) => ({
      selector,
      format: 'skip',
    })),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true, linkBrackets: ['(', ')'] } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    // Outlook writes every line as a paragraph without margins, so no blank line follows such a paragraph.
    { selector: 'p.MsoNormal', format: 'paragraph', options: oneBreak },
    { selector: 'blockquote', options: oneBreak },
    { selector: 'table', format: 'block', options: oneBreak },
    { selector: 'td', format: 'block', options: oneBreak },
  ],
};

const convert = compile(OPTIONS);

/** Returns the text of an email's HTML. */
export const htmlToPlain = (html: string): string =>
  convert(html)
    .replace(/[\u200b\u2060\ufeff]/g, '')
    .replace(/\u00a0/g, ' ')
    .replace(/\n\s*\n\s*\n/g, '\n\n');

/** Elements in which mail programs quote earlier emails. */
const QUOTES = 'blockquote, .gmail_quote, .yahoo_quoted, [id^="yahoo_quoted"], #divRplyFwdMsg ~ *, #appendonsend ~ *';

/** Returns the Content-IDs of the images that appear only in the emails quoted by a reply. */
export const quotedPictures = (html: string): string[] => {
  if (!/src\s*=\s*["']?cid:/i.test(html)) return [];
  const document = load(html.slice(0, MAX_HTML_CHARACTERS));
  const pictures = () =>
    document('img[src^="cid:"]')
      .toArray()
      .map((image) => (document(image).attr('src') ?? '').slice('cid:'.length));
  const all = pictures();
  document(QUOTES).remove();
  const own = new Set(pictures());
  return all.filter((cid) => !own.has(cid));
};
