/**
 * What a model said, as it may be shown. It has read strangers' pages, so nothing of its answer loads or leads
 * anywhere but to its sources (attack A13). Fenced code is shown as it is: there nothing is a link.
 */
import { NO_ANSWER_MARK } from './prompts.ts';

const FENCED = /(^ {0,3}```[^`\n]*\n[\s\S]*?(?:^ {0,3}`{3,}[ \t]*$|$(?![\s\S])))/m;
const IMAGE = /!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])?/g;
const LINK = /\[([^\]\n]+)\]\(([^)\n]*)\)/g;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[ \t]*(?:[a-z][a-z0-9+.-]*:|\/\/).*$/gim;
const ADDRESS = /<?\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s<>()[\]]+>?/gi;
const TAG = /<\/?[a-z!][^>\n]*>/gi;
/** The end of a text that what follows may still turn into something else: a definition, a link, a tag, a word. */
const UNFINISHED =
  /(?:(?<![^\n]) {0,3}\[[^\]\n]+\]:[^\n]*|!?\[[^\]\n]*(?:\](?:[([][^)\]\n]*[)\]]?)?\S*)?|<[^>\n]*(?:>\S*)?|\S+)$/;

const hostOf = (address: string): string | undefined => URL.parse(address)?.host;

const cleanOnce = (prose: string, hosts: Set<string | undefined>): string =>
  prose
    .replace(IMAGE, '')
    .replace(LINK, (link, label: string, target: string) => (hosts.has(hostOf(target)) ? link : label))
    .replace(DEFINITION, '')
    .replace(ADDRESS, (found) => {
      const address = found.replace(/^<|>$/g, '');
      return hosts.has(hostOf(address)) ? address : '';
    })
    .replace(TAG, '');

const PASSES = 8;

/** Again until nothing changes: what is taken out may leave a link behind. Nested deeper than anybody writes: no links at all. */
const clean = (prose: string, hosts: Set<string | undefined>, passes = PASSES): string => {
  if (passes === 0) return prose.replace(/[[\]<>]/g, '').replace(ADDRESS, '');
  const once = cleanOnce(prose, hosts);
  return once === prose ? once : clean(once, hosts, passes - 1);
};

const plain = (text: string, sources: string[]): string => {
  const hosts = new Set(sources.map(hostOf).filter(Boolean));
  return text
    .replaceAll(NO_ANSWER_MARK, '')
    .split(FENCED)
    .map((part, at) => (at % 2 ? part : clean(part, hosts)))
    .join('')
    .trimStart();
};

/** A whole answer, without the mark of a refusal. */
export const spoken = (text: string, sources: string[]): string => plain(text, sources).trimEnd();

/** As much of a growing answer as can be shown: nothing that may yet become a mark, a link or an address. */
export const spokenSoFar = (text: string, sources: string[]): string =>
  plain(text.replace(UNFINISHED, ''), sources).trimEnd();
