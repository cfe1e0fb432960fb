/** Finds the significant words and the names in a question. */
import { removeAccents } from '../../../search/fold.ts';
import { withIdentifierWords } from '../../../search/identifiers.ts';
import { stem } from '../../../vectors/sparse-vector.ts';

/**
 * English words that say nothing about the topic. Other languages need no list: their common words occur in most of
 * their texts and therefore get little weight.
 */
const STOP_WORDS = new Set(
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

const WORD = /[\p{L}\p{N}_]+(?:'\p{L}+)?/gu;

/** Converts a string to lower case, without accents and with straight apostrophes. */
const foldText = (text: string): string => removeAccents(text).replaceAll('’', "'").toLowerCase();

/** Returns the words of a text, folded. The ending of "customer's" is removed, so that the word equals "customer". */
const foldedWords = (text: string): string[] =>
  foldText(text)
    .match(WORD)
    ?.map((word) => word.replace(/'s$/, '')) ?? [];

/** Returns the distinct significant words of a text, folded and in order. Single letters and digits are omitted. */
export const contentWords = (text: string): string[] => [
  ...new Set(foldedWords(text).filter((word) => word.length > 1 && !STOP_WORDS.has(word))),
];

/** Returns the stems of all words of a text. */
export const stemsOf = (text: string): Set<string> =>
  new Set(
    foldedWords(withIdentifierWords(text))
      .flatMap((word) => [word, ...word.split('_')])
      .map(stem),
  );

/** Returns whether any form of a word is among the stems. */
export const hasStemIn = (word: string, stems: Set<string>): boolean => stems.has(stem(word));

const SENTENCE_START = /(^|[.?!:]['"]?\s+)$/;
/** Matches words that are names anywhere in a sentence, such as `MySQL` and `boto3`. */
const NAME_PATTERN = /^\p{L}.*[\p{Lu}\p{N}]/u;
/** Matches words such as `Django`, which are names only if they do not begin a sentence. */
const CAPITALIZED = /^\p{Lu}./u;
/** Capitalized English words that are never the name of a product. */
const DATE_NAMES =
  /^(mon|tues|wednes|thurs|fri|satur|sun)day|^(january|february|march|april|may|june|july|august|september|october|november|december)$/i;

/**
 * Returns the names in an English text, in lower case. Returns none if fewer than a quarter of the words are English
 * stop words, because other languages may capitalize every noun. Also returns none if more than half of the words look
 * like names, as in texts in capitals.
 */
export const findNames = (text: string): string[] => {
  const words = foldText(text).match(WORD) ?? [];
  if (words.filter((word) => STOP_WORDS.has(word)).length * 4 < words.length) return [];
  const isName = ({ 0: word, index }: RegExpExecArray) =>
    !DATE_NAMES.test(word) &&
    (NAME_PATTERN.test(word) || (CAPITALIZED.test(word) && !SENTENCE_START.test(text.slice(0, index))));
  const names = [...text.matchAll(/[\p{L}\p{N}]+/gu)].filter(isName);
  return names.length * 2 > words.length ? [] : names.map(([word]) => word.toLowerCase());
};
