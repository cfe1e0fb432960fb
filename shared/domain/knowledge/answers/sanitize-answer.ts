/**
 * Sanitizes the answer of a chat model. The model has read untrusted pages, so images, HTML tags and all links except
 * those to the hosts of its sources are removed. Fenced code stays as it is, since nothing in it is rendered as a link.
 */
import { NO_ANSWER_MARK } from './prompt.ts';

const FENCED_CODE = /(^ {0,3}```[^`\n]*\n[\s\S]*?(?:^ {0,3}`{3,}[ \t]*$|$(?![\s\S])))/m;
const IMAGE = /!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])?/g;
const LINK = /\[([^\]\n]+)\]\(([^)\n]*)\)/g;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[ \t]*(?:[a-z][a-z0-9+.-]*:|\/\/).*$/gim;
const URL_PATTERN = /<?\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s<>()[\]]+>?/gi;
const HTML_TAG = /<\/?[a-z!][^>\n]*>/gi;
/**
 * The end of a partial text that further text may still turn into a link definition, a link, a tag or a longer word.
 */
const UNFINISHED_END =
  /(?:(?<![^\n]) {0,3}\[[^\]\n]+\]:[^\n]*|!?\[[^\]\n]*(?:\](?:[([][^)\]\n]*[)\]]?)?\S*)?|<[^>\n]*(?:>\S*)?|\S+)$/;

const hostOf = (address: string): string | undefined => URL.parse(address)?.host;

const cleanOnce = (prose: string, hosts: Set<string | undefined>): string =>
  prose
    .replace(IMAGE, '')
    .replace(LINK, (link, label: string, target: string) => (hosts.has(hostOf(target)) ? link : label))
    .replace(DEFINITION, '')
    .replace(URL_PATTERN, (match) => {
      const address = match.replace(/^<|>$/g, '');
      return hosts.has(hostOf(address)) ? address : '';
    })
    .replace(HTML_TAG, '');

const MAX_PASSES = 8;

/**
 * Repeats until nothing changes, since a removal may form a new link. After MAX_PASSES all brackets and URLs are
 * removed.
 */
const cleanProse = (prose: string, hosts: Set<string | undefined>, passes = MAX_PASSES): string => {
  if (passes === 0) return prose.replace(/[[\]<>]/g, '').replace(URL_PATTERN, '');
  const once = cleanOnce(prose, hosts);
  return once === prose ? once : cleanProse(once, hosts, passes - 1);
};

const sanitizeText = (text: string, sources: string[]): string => {
  const hosts = new Set(sources.map(hostOf).filter(Boolean));
  return text
    .replaceAll(NO_ANSWER_MARK, '')
    .split(FENCED_CODE)
    .map((part, at) => (at % 2 ? part : cleanProse(part, hosts)))
    .join('')
    .trimStart();
};

/** Sanitizes a whole answer and removes the no-answer mark. */
export const sanitizeAnswer = (text: string, sources: string[]): string => sanitizeText(text, sources).trimEnd();

/** Sanitizes a partial answer and withholds an end that may still become a mark, a link or a URL. */
export const sanitizePartialAnswer = (text: string, sources: string[]): string =>
  sanitizeText(text.replace(UNFINISHED_END, ''), sources).trimEnd();
