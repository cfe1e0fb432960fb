/**
 * Counts the grams of texts: their words, and the parts of these words. Parts make the comparison of texts tolerant of
 * inflections and typing errors in every language.
 */
import { languageCode } from '../../../search/language-code.ts';
import { foldedWords } from './words.ts';

/**
 * Frequent words that say nothing about the topic, by language. In other languages, the weights of words depend only on
 * their rarity.
 */
const STOP_WORDS: Record<string, Set<string>> = {
  en: new Set(
    `a an the i me my we our you your he she it its they this that these those is am are was were be been being do does
    did have has had having will would can could should may might must to of in on at by for with from as and or but if
    then so not no there here what which who whom how when where why please just any some get got want need like`.split(
      /\s+/,
    ),
  ),
  it: new Set(
    `il lo la i gli le un uno una l d a da in con su per tra fra di del dello della dei degli delle al allo alla ai agli
    alle dal dalla nel nella nei sul sulla e o ma se che chi cui come dove quando quanto quale quali perche sono sei
    siamo ho hai ha abbiamo avete hanno mi ti si ci vi ne non piu anche mio mia miei tuo vostro vostra vostri nostro
    nostra questo questa quello quella posso puo potete vorrei voglio devo c`.split(/\s+/),
  ),
  de: new Set(
    `der die das den dem des ein eine einen einem einer eines ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch
    mein meine meinen meinem meiner dein ihre ihren ist sind bin war waren sein habe hat haben hatte wird werden kann
    konnen mochte will muss soll und oder aber wenn dass ob als wie was wer wo wann warum welche welcher welches nicht
    kein keine auch noch nur schon bitte gern in im an am auf aus bei mit nach von vom zu zum zur fur uber unter um
    bis`.split(/\s+/),
  ),
};

const STOP_WORD_WEIGHT = 0.15;
/** The weight of a whole word, and the weights of its parts by length. */
const WORD_WEIGHT = 1;
const PART_WEIGHTS: [length: number, weight: number][] = [
  [3, 0.5],
  [4, 0.7],
  [5, 0.7],
];
const NO_STOP_WORDS = new Set<string>();
/** Only this many characters of a word are divided into parts: a text without spaces must not have too many parts. */
const MAX_WORD_CHARACTERS = 64;

/** Returns the weighted counts of the grams of a text. */
export const countGrams = (text: string, language: string): Map<string, number> => {
  const stopWords = STOP_WORDS[languageCode(language)] ?? NO_STOP_WORDS;
  const counts = new Map<string, number>();
  const add = (gram: string, weight: number) => counts.set(gram, (counts.get(gram) ?? 0) + weight);
  for (const word of foldedWords(text)) {
    const weight = stopWords.has(word) ? STOP_WORD_WEIGHT : 1;
    add(`=${word}`, weight * WORD_WEIGHT);
    const bounded = `^${word.slice(0, MAX_WORD_CHARACTERS)}$`;
    for (const [length, partWeight] of PART_WEIGHTS)
      for (let start = 0; start + length <= bounded.length; start++)
        add(bounded.slice(start, start + length), weight * partWeight);
  }
  return counts;
};
