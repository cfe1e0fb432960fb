/** The words of a question that say what it is about. */
import { stem } from '#shared/vectors/terms.ts';

/** Words that say how one asks, not about what; English, the others' are common in their own texts and weigh little. */
const FILLERS = new Set(
  `a about after again all also although an and another any anybody anyone anything are aren't as at be because been
  before begin being below best between both but by can can't cannot come could couldn't d dear did didn't do does
  doesn't doing don't down each either else end ended ends every everyone everything few find for from get gets getting
  give gives go goes going got had happen happens has hasn't have haven't having he hello her here hers hey hi him his
  how however i i'd i'll i'm i've if in instead into is isn't it it's its itself just keep keeps kind know let like ll
  long look m make makes many may maybe me might mine more most much must my myself need needs no nobody none nor not
  nothing now of off often on once one ones only or other others our ours ourselves out over own per please possible
  put quite rather re really regards right s same say says see she should shouldn't so some somebody someone something
  somewhere start still such sure t take tell than thank thanks that that's the their theirs them themselves then there
  there's these they they're thing things think this those though through to together too try under until up upon us
  use used user using ve very want wants was wasn't way we we're well were what what's whatever when where whether which
  while who whole whom whose why will with within without won't wont work works would wouldn't wrong yes yet you you're
  your yours yourself`.split(/\s+/),
);

const WORDS = /[\p{L}\p{N}_]+(?:'\p{L}+)?/gu;

/** Lower case and without accents; composed again, as Hangul falls apart otherwise. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .replaceAll('’', "'")
    .toLowerCase();

/** The different words that say what a text is about, lower case and in order; a lone letter or digit says nothing. */
export const contentWords = (text: string): string[] => [
  ...new Set((plain(text).match(WORDS) ?? []).filter((word) => word.length > 1 && !FILLERS.has(word))),
];

/** The stems of all words of a text, to see which of a question's words stand in it. */
export const stemsOf = (text: string): Set<string> =>
  new Set((plain(text).match(WORDS) ?? []).flatMap((word) => [word, ...word.split('_')]).map(stem));

/** Whether a word, in any of its forms, is among stems. */
export const isAmong = (word: string, stems: Set<string>): boolean => stems.has(stem(word));

const SENTENCE_START = /(^|[.?!:]['"]?\s+)$/;
/** `MySQL` and `boto3` anywhere; `Django` only within a sentence. */
const NAME = /^\p{L}.*[\p{Lu}\p{N}]/u;
const CAPITAL = /^\p{Lu}./u;
/** Names of English that nobody's product has. */
const DATES =
  /^(mon|tues|wednes|thurs|fri|satur|sun)day|^(january|february|march|april|may|june|july|august|september|october|november|december)$/i;

/** What an English text calls by a name, in lower case: nothing in other languages, which may give every noun a capital, nor in shouting. */
export const namesIn = (text: string): string[] => {
  const words = plain(text).match(WORDS) ?? [];
  if (words.filter((word) => FILLERS.has(word)).length * 4 < words.length) return [];
  const isName = ({ 0: word, index }: RegExpExecArray) =>
    !DATES.test(word) && (NAME.test(word) || (CAPITAL.test(word) && !SENTENCE_START.test(text.slice(0, index))));
  const names = [...text.matchAll(/[\p{L}\p{N}]+/gu)].filter(isName);
  return names.length * 2 > words.length ? [] : names.map(([word]) => word.toLowerCase());
};
