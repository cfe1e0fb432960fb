/** Sanitizes HTML of customers by an allow list of tags, attributes and URL schemes. */
import { Parser } from 'htmlparser2';

/** The allowed tags with their allowed attributes. */
const ALLOWED_ATTRIBUTES: Record<string, readonly string[]> = {
  a: ['href', 'title', 'target'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  ...Object.fromEntries(['b', 'br', 'div', 'em', 'i', 'p', 'small', 'span', 'strong', 'u'].map((tag) => [tag, []])),
};
const VOID_TAGS = new Set(['br', 'img']);
/** Tags whose content is removed. Other tags that are not allowed are removed, but their text is kept. */
const HIDDEN_TAGS = new Set([
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
const URL_ATTRIBUTES = new Set(['href', 'src']);
const SAFE_SCHEMES = new Set(['http:', 'https:', 'mailto:']);

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for an HTML element or a double-quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] as string);

/** Absolute URLs only: a relative URL would point to a different place on each page. */
const isSafeUrl = (value: string): boolean => SAFE_SCHEMES.has(URL.parse(value)?.protocol ?? '');

const attributesOf = (tag: string, attributes: Record<string, string>): string => {
  const allowed = Object.entries(attributes).filter(
    ([name, value]) => ALLOWED_ATTRIBUTES[tag]?.includes(name) && (!URL_ATTRIBUTES.has(name) || isSafeUrl(value)),
  );
  // The opened page must not get access to this one through `window.opener`.
  if (tag === 'a') allowed.push(['rel', 'noopener noreferrer']);
  return allowed.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('');
};

/** Returns well-formed HTML with allowed tags, attributes and URLs only, for any input. */
export const sanitizeHtml = (html: string): string => {
  const parts: string[] = [];
  const open: string[] = [];
  const isShown = () => !open.some((tag) => HIDDEN_TAGS.has(tag));
  const isAllowed = (tag: string): boolean => Object.hasOwn(ALLOWED_ATTRIBUTES, tag) && isShown();
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      open.push(tag);
      if (isAllowed(tag)) parts.push(`<${tag}${attributesOf(tag, attributes)}>`);
    },
    ontext: (text) => {
      if (isShown()) parts.push(escapeHtml(text));
    },
    onclosetag: (tag) => {
      if (open.at(-1) !== tag) return; // a closing tag without its opening tag
      open.pop();
      if (isAllowed(tag) && !VOID_TAGS.has(tag)) parts.push(`</${tag}>`);
    },
  });
  parser.end(html);
  return parts.join('');
};
