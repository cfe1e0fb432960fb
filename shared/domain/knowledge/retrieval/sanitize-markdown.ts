/** Sanitizes page text for an answer: nothing in it loads, links or runs. */

const IMAGE = /!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?/g;
const LINK = /\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])/g;
const DEFINITION = /^\s{0,3}\[[^\]]+\]:\s*\S+.*$/gm;
/**
 * Tags with attributes, closed or not, and tags that act without attributes. `<name>` alone is a placeholder and stays.
 */
const HTML_TAG =
  /<\/?(?:[a-z][a-z0-9-]*[\s/][^<>]*|(?:a|audio|base|button|embed|form|iframe|img|input|link|math|meta|noscript|object|plaintext|script|style|svg|template|textarea|title|video|xmp))(?:>|$)/gi;
const URL_PATTERN = /<?\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|(?:javascript|data|vbscript):)[^\s<>)\]]*>?/gi;

const hostOf = (url: string): string | undefined => URL.parse(url)?.host;

/** Removes images, tags and link targets from Markdown. A URL stays only if it leads to the host of `source`. */
export const sanitizeMarkdown = (text: string, source: string): string => {
  const sourceHost = hostOf(source);
  const keepSourceUrl = (url: string) => (sourceHost && hostOf(url.replace(/^<|>$/g, '')) === sourceHost ? url : '');
  return text
    .replace(IMAGE, '')
    .replace(LINK, '$1')
    .replace(DEFINITION, '')
    .replace(URL_PATTERN, keepSourceUrl)
    .replace(HTML_TAG, '')
    .replace(/[ \t]{2,}/g, ' ')
    .trim();
};
