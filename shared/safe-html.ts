/** HTML of a customer's, cut down to what can do no harm on the pages of others. */
import { Parser } from 'htmlparser2';

/** Tags that stay, with the attributes they may keep. */
const ALLOWED: Record<string, readonly string[]> = {
  a: ['href', 'title', 'target'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  ...Object.fromEntries(['b', 'br', 'div', 'em', 'i', 'p', 'small', 'span', 'strong', 'u'].map((tag) => [tag, []])),
};
const VOID = new Set(['br', 'img']);
/** What stands in these is no text; of any other tag that does not stay, the text does. */
const HIDDEN = new Set([
  'script',
  'style',
  'iframe',
  'object',
  'noscript',
  'noembed',
  'noframes',
  'template',
  'textarea',
  'title',
  'svg',
  'math',
  'xmp',
  'plaintext',
  'select',
]);
const ADDRESSES = new Set(['href', 'src']);
const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Any text as HTML, in an element or between the double quotes of an attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] as string);

/** Whole addresses only: a relative one would mean another place on each page. */
const isSafeAddress = (value: string): boolean => SCHEMES.has(URL.parse(value)?.protocol ?? '');

const attributesOf = (tag: string, given: Record<string, string>): string => {
  const kept = Object.entries(given).filter(
    ([name, value]) => ALLOWED[tag]?.includes(name) && (!ADDRESSES.has(name) || isSafeAddress(value)),
  );
  // A page that is opened from here must not get hold of the one it was opened from.
  if (tag === 'a') kept.push(['rel', 'noopener noreferrer']);
  return kept.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
};

/** The HTML with the tags, attributes and addresses of a short list only; well formed, whatever came. */
export const safeHtml = (html: string): string => {
  const parts: string[] = [];
  const open: string[] = [];
  const isShown = () => !open.some((tag) => HIDDEN.has(tag));
  const isKept = (tag: string): boolean => Object.hasOwn(ALLOWED, tag) && isShown();
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      open.push(tag);
      if (isKept(tag)) parts.push(`<${tag}${attributesOf(tag, attributes)}>`);
    },
    ontext: (text) => {
      if (isShown()) parts.push(escaped(text));
    },
    onclosetag: (tag) => {
      if (open.at(-1) !== tag) return; // the end of what never began
      open.pop();
      if (isKept(tag) && !VOID.has(tag)) parts.push(`</${tag}>`);
    },
  });
  parser.end(html);
  return parts.join('');
};
