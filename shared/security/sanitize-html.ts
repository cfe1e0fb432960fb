/** Sanitizes HTML that projects store for their widgets, with an allow list of tags, attributes and URL schemes. */
import type sanitize from 'sanitize-html';
import { loadPackage } from '../load-package.ts';

const PLAIN_TAGS = ['b', 'br', 'div', 'em', 'i', 'p', 'small', 'span', 'strong', 'u'];
/** Tags whose content is removed. Other tags that are not allowed are removed, but their text is kept. */
const HIDDEN_TAGS = [
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
  'option',
];
const SAFE_SCHEMES = ['http', 'https', 'mailto'];
const URL_ATTRIBUTES = new Set(['href', 'src']);

/** Removes relative URLs, which would have a different target on each page. */
const withoutRelativeUrls = (attributes: sanitize.Attributes): sanitize.Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name, url]) => !URL_ATTRIBUTES.has(name) || URL.canParse(url)),
  );

const OPTIONS: sanitize.IOptions = {
  allowedTags: ['a', 'img', ...PLAIN_TAGS],
  allowedAttributes: { a: ['href', 'title', 'target', 'rel'], img: ['src', 'alt', 'title', 'width', 'height'] },
  allowedSchemes: SAFE_SCHEMES,
  allowProtocolRelative: false,
  nonTextTags: HIDDEN_TAGS,
  transformTags: {
    // A linked page must not get access through `window.opener` to the page that contains the link.
    a: (tagName, attributes) => ({
      tagName,
      attribs: { ...withoutRelativeUrls(attributes), rel: 'noopener noreferrer' },
    }),
    img: (tagName, attributes) => ({ tagName, attribs: withoutRelativeUrls(attributes) }),
  },
};

/**
 * Returns well-formed HTML with only allowed tags, attributes and URLs, for any input. The second pass closes tags
 * whose end tags the first pass has removed together with a hidden element.
 */
export const sanitizeHtml = (html: string): string => {
  const clean = loadPackage('sanitize-html') as typeof sanitize;
  return clean(clean(html, OPTIONS), OPTIONS);
};
