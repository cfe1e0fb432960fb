/** Text of pages as it may stand in an answer: nothing in it loads, links or runs (attack A13). */

const IMAGE = /!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?/g;
const LINK = /\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])/g;
const DEFINITION = /^\s{0,3}\[[^\]]+\]:\s*\S+.*$/gm;
/** Tags with attributes, closed or not, and those that act without any; `<name>` alone is a placeholder. */
const TAG =
  /<\/?(?:[a-z][a-z0-9-]*[\s/][^<>]*|(?:a|audio|base|button|embed|form|iframe|img|input|link|math|meta|noscript|object|plaintext|script|style|svg|template|textarea|title|video|xmp))(?:>|$)/gi;
const ADDRESS = /<?\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|(?:javascript|data|vbscript):)[^\s<>)\]]*>?/gi;

const hostOf = (url: string): string | undefined => URL.parse(url)?.host;

/** Whole prose without images, tags and link targets; an address stays only if it leads to the source's own host. */
export const inert = (text: string, source: string): string => {
  const own = hostOf(source);
  const address = (found: string) => (own && hostOf(found.replace(/^<|>$/g, '')) === own ? found : '');
  return text
    .replace(IMAGE, '')
    .replace(LINK, '$1')
    .replace(DEFINITION, '')
    .replace(ADDRESS, address)
    .replace(TAG, '')
    .replace(/[ \t]{2,}/g, ' ')
    .trim();
};
