/**
 * Corrects typing errors in a question with the words of the namespace and with frequent English words. Words of the
 * namespace and English words are never changed.
 */
import { fold } from '../../../search/fold.ts';
import { englishRank, isEnglishWord, similarEnglishWords } from '../../../search/spelling/english-words.ts';
import { type EditWeights, typingErrorCost } from '../../../search/spelling/typing-errors.ts';
import { WordLookup } from '../../../search/spelling/word-lookup.ts';
import { chunkCountOf, chunkIndex, type IndexSpace } from '../../../vectors/index.ts';
import { findSimilarWords } from '../indexing/vocabulary.ts';

/** All numbers in this file were tuned on the questions in test/data/python-docs, with generated typing errors. */
const EDIT_WEIGHTS: EditWeights = {
  exchanged: 0.6,
  doubled: 0.6,
  inserted: 0.8,
  neighbour: 0.8,
  replaced: 1.1,
  first: 0.2,
  last: 0.1,
};
const LONG_WORD_LETTERS = 7;
const MAX_COST = 1;
const MAX_COST_OF_LONG_WORD = 1.2;
/** A capitalized word within a sentence may be a name. It is corrected only to a very similar word. */
const MAX_COST_OF_NAME = 0.8;
const MIN_LETTERS = 3;
/** People do not type longer words. */
const MAX_LETTERS = 24;
/** A word of three letters resembles many words. It is corrected only to one of the most frequent words. */
const MAX_RANK_FOR_SHORT_WORD = 600;
const MAX_RANK_OF_FREQUENT_WORD = 3000;
/** The frequency rank assumed for words that are not English, such as technical terms. */
const UNKNOWN_RANK = 20_000;
const RANK_UNIT = 50;
const RANK_WEIGHT = 0.06;
/** Added to the cost of an English candidate that the namespace lacks. */
const MISSING_WORD_COST = 0.2;
/**
 * Candidates that cost at most this much more than the best one are compared by the number of chunks that contain them.
 */
const MAX_COST_DIFFERENCE = 0.3;
const COMPARED_CANDIDATES = 4;
const COUNTED_CHUNKS = 20;
const COUNT_WEIGHT = 0.06;
/** Maximum number of words of a question that are corrected. */
const MAX_CORRECTED_WORDS = 16;

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Matches the rest of a contraction, such as "'t" after "mustn". */
const CONTRACTION = /^['’]\p{L}/u;
const LETTERS = /^[\p{L}\p{M}]+$/u;
/** Endings of inflected English words, and the endings of their possible base forms. */
const INFLECTIONS: [ending: RegExp, replacements: string[]][] = [
  [/(?<=s|x|z|ch|sh|o)es$/, ['']],
  [/(?<!s)s$/, ['']],
  [/ed$/, ['', 'e']],
  [/ing$/, ['', 'e']],
  [/ly$/, ['']],
];
/** Matches names such as `MySQL` and `OAuth`. */
const HAS_INNER_CAPITAL = /\p{Ll}\p{Lu}|^\p{Lu}{2,}\p{Ll}/u;
const CAPITALIZED = /^\p{Lu}/u;
const SENTENCE_START = /(^|[.?!:]['"]?\s+)$/;

interface QuestionWord {
  written: string;
  folded: string;
  /** Whether the word is capitalized within a sentence, or contains a capital after its first letter. */
  isName: boolean;
}

/** A word that may have been meant. `cost` is low if few typing errors lead to it and if it is frequent. */
interface Candidate {
  word: string;
  cost: number;
}

/** Returns the possible base forms of a word. Some of them may not be words. */
const baseForms = (folded: string): string[] =>
  INFLECTIONS.flatMap(([ending, replacements]) =>
    ending.test(folded) ? replacements.map((replacement) => folded.replace(ending, replacement)) : [],
  );

const isSuspicious = ({ written, folded }: QuestionWord): boolean =>
  LETTERS.test(written) &&
  folded.length >= MIN_LETTERS &&
  folded.length <= MAX_LETTERS &&
  ![folded, ...baseForms(folded)].some(isEnglishWord);

/** Returns the words of a question that may contain an error, each once. */
const suspiciousWords = (question: string): QuestionWord[] => {
  const found = [...question.matchAll(WORD)].filter(
    ({ 0: written, index }) => !CONTRACTION.test(question.slice(index + written.length)),
  );
  const words = found.map(({ 0: written, index }) => ({
    written,
    folded: fold(written),
    isName:
      HAS_INNER_CAPITAL.test(written) || (CAPITALIZED.test(written) && !SENTENCE_START.test(question.slice(0, index))),
  }));
  const distinct = new Map(words.filter(isSuspicious).map((word) => [word.folded, word]));
  return [...distinct.values()].slice(0, MAX_CORRECTED_WORDS);
};

const maxCostOf = ({ folded, isName }: QuestionWord): number => {
  if (isName) return MAX_COST_OF_NAME;
  return folded.length < LONG_WORD_LETTERS ? MAX_COST : MAX_COST_OF_LONG_WORD;
};

const rankOf = (folded: string): number => englishRank(folded) ?? UNKNOWN_RANK;

const rarityCost = (folded: string): number => RANK_WEIGHT * Math.log2(1 + rankOf(folded) / RANK_UNIT);

/** Whether at least half of the words are frequent English words. */
const isEnglish = (question: string): boolean => {
  const words = question.match(WORD) ?? [];
  const english = words.filter((word) => word.length < MIN_LETTERS || rankOf(fold(word)) < MAX_RANK_OF_FREQUENT_WORD);
  return english.length * 2 >= words.length;
};

/** The words of the namespace that resemble words of a question, and whether English words are suggested as well. */
interface Suggestions {
  /** Maps folded words to the words as they are written in the namespace. */
  vocabulary: Map<string, string>;
  lookup: WordLookup;
  english: boolean;
}

const readSuggestions = async (space: IndexSpace, question: string, words: string[]): Promise<Suggestions> => {
  const similar = await findSimilarWords({ id_project: space.project, namespace: space.namespace }, words);
  const vocabulary = new Map(similar.map((word) => [fold(word), word]));
  return { vocabulary, lookup: new WordLookup(vocabulary.keys()), english: isEnglish(question) };
};

/** Returns the words that may have been meant, most likely first. */
function candidatesOf(typed: QuestionWord, { vocabulary, lookup, english }: Suggestions): Candidate[] {
  const known = lookup.similarWords(typed.folded);
  const others = english && !typed.isName ? similarEnglishWords(typed.folded) : [];
  const isShort = typed.folded.length === MIN_LETTERS;
  return [...known, ...others.filter((word) => !vocabulary.has(word))]
    .filter((folded) => !isShort || rankOf(folded) < MAX_RANK_FOR_SHORT_WORD)
    .map((folded) => ({ folded, editCost: typingErrorCost(typed.folded, folded, EDIT_WEIGHTS) }))
    .filter(({ editCost }) => editCost <= maxCostOf(typed))
    .map(({ folded, editCost }) => ({
      word: vocabulary.get(folded) ?? folded,
      cost: editCost + rarityCost(folded) + (vocabulary.has(folded) ? 0 : MISSING_WORD_COST),
    }))
    .toSorted((a, b) => a.cost - b.cost);
}

const countChunks = async (space: IndexSpace, text: string): Promise<number> =>
  chunkCountOf(await chunkIndex().countMatches(space, { text, limit: COUNTED_CHUNKS }));

/** Returns the most likely candidate. Those of similar cost are compared by the number of chunks that contain them. */
async function selectCandidate(candidates: Candidate[], space: IndexSpace): Promise<string | undefined> {
  const minCost = candidates[0]?.cost ?? 0;
  const similar = candidates.filter(({ cost }) => cost <= minCost + MAX_COST_DIFFERENCE).slice(0, COMPARED_CANDIDATES);
  if (similar.length < 2) return similar[0]?.word;
  const counts = await Promise.all(similar.map(({ word }) => countChunks(space, word)));
  const costs = similar.map(({ cost }, index) => cost - COUNT_WEIGHT * Math.log2(1 + (counts[index] ?? 0)));
  return similar[costs.indexOf(Math.min(...costs))]?.word;
}

/** Whether the namespace contains the word or an inflected form of it. */
const isKnown = ({ folded }: QuestionWord, { lookup }: Suggestions): boolean => {
  const forms = new Set([folded, ...baseForms(folded)]);
  return lookup.similarWords(folded).some((word) => [word, ...baseForms(word)].some((form) => forms.has(form)));
};

async function correctionOf(typed: QuestionWord, suggestions: Suggestions, space: IndexSpace): Promise<string> {
  const { written } = typed;
  const word = isKnown(typed, suggestions) ? undefined : await selectCandidate(candidatesOf(typed, suggestions), space);
  if (!word) return written;
  return CAPITALIZED.test(written) ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;
}

/**
 * Returns the question without typing errors. Makes no query if all its words are English. Otherwise makes one indexed
 * query, and small full-text queries for the most likely candidates of a word that has several.
 */
export async function correctQuestion(space: IndexSpace, question: string): Promise<string> {
  const suspicious = suspiciousWords(question);
  if (!suspicious.length) return question;
  const words = suspicious.map(({ folded }) => folded);
  const suggestions = await readSuggestions(space, question, words);
  const corrected = await Promise.all(suspicious.map((typed) => correctionOf(typed, suggestions, space)));
  const corrections = new Map(words.map((word, index) => [word, corrected[index] as string]));
  return question.replace(WORD, (written) => corrections.get(fold(written)) ?? written);
}
