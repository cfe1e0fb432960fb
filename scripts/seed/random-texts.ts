/**
 * Generates texts with the word statistics of a help desk: a few frequent words and many rare ones. The same random
 * numbers give the same texts.
 */

/** The most frequent words, in order of frequency. */
const FREQUENT_WORDS =
  `the i to you my is and a it not can order please for in we have your of that with me on do thanks be
  what will this are was account but hello when how out there delivery help still no payment now would from if so
  get need more time password just email day if invoice refund item page which number try could today parcel arrive
  send change address week problem card wrong error again week shop phone look back sorry work service question
  cancel box size store window login color blue red warranty return damaged broken price discount code voucher
  charger battery screen subscription renewal upgrade plan tomorrow monday friday morning evening courier warehouse`
    .split(/\s+/)
    .filter((word, index, all) => all.indexOf(word) === index);

const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru sta pli tor ven'.split(' ');
const WORD_COUNT = 8000;
const SENTENCE_COUNT = 50_000;

/** Returns an invented word; different numbers give different words. */
const inventWord = (number: number): string => {
  let word = '';
  for (let rest = number + SYLLABLES.length; rest; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word;
};

const VOCABULARY = [
  ...FREQUENT_WORDS,
  ...Array.from({ length: WORD_COUNT - FREQUENT_WORDS.length }, (_, index) => inventWord(index)),
];

/** Returns cumulative weights by Zipf's law: the word of rank r has 1/r of the weight of the first. */
const cumulativeWeights = (ranks: number): number[] => {
  const sums: number[] = [];
  for (let rank = 1; rank <= ranks; rank += 1) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  return sums;
};
const CUMULATIVE_WEIGHTS = cumulativeWeights(WORD_COUNT);

/** Returns the word at a position (0 to 1) in the cumulative weights. */
const pickWord = (position: number): string => {
  const target = position * (CUMULATIVE_WEIGHTS.at(-1) as number);
  let [low, high] = [0, CUMULATIVE_WEIGHTS.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((CUMULATIVE_WEIGHTS[middle] as number) < target) low = middle + 1;
    else high = middle;
  }
  return VOCABULARY[low] as string;
};

const makeSentence = (random: () => number): string => {
  const words = Array.from({ length: 3 + Math.floor(random() * 9) }, () => pickWord(random()));
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${random() < 0.3 ? '?' : '.'}`;
};

/** Generates the sentences that the messages consist of. */
export const makeSentences = (random: () => number): string[] =>
  Array.from({ length: SENTENCE_COUNT }, () => makeSentence(random));
