/** Texts as a help desk has them: few words that are everywhere, many that are rare; the same ones on every run. */

/** Numbers from 0 to 1 by chance, the same ones for the same seed. */
export const chance = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};

/** Said everywhere, the most frequent first. */
const FREQUENT = `the i to you my is and a it not can order please for in we have your of that with me on do thanks be
  what will this are was account but hello when how out there delivery help still no payment now would from if so
  get need more time password just email day if invoice refund item page which number try could today parcel arrive
  send change address week problem card wrong error again week shop phone look back sorry work service question
  cancel box size store window login color blue red warranty return damaged broken price discount code voucher
  charger battery screen subscription renewal upgrade plan tomorrow monday friday morning evening courier warehouse`
  .split(/\s+/)
  .filter((word, at, all) => all.indexOf(word) === at);

const SYLLABLES =
  'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru sta pli tor ven'.split(' ');
const WORDS = 8000;
const SENTENCES = 50_000;

const invented = (at: number): string => {
  let word = '';
  for (let left = at + SYLLABLES.length; left; left = Math.floor(left / SYLLABLES.length))
    word += SYLLABLES[left % SYLLABLES.length];
  return word;
};

const VOCABULARY = [...FREQUENT, ...Array.from({ length: WORDS - FREQUENT.length }, (_, at) => invented(at))];

/** By Zipf's law the word of rank r comes 1/r as often as the first: the sums of that, up to each rank. */
const sumsOf = (ranks: number): number[] => {
  const sums: number[] = [];
  for (let rank = 1; rank <= ranks; rank += 1) sums.push((sums.at(-1) ?? 0) + 1 / rank);
  return sums;
};
const SUMS = sumsOf(WORDS);

const wordBy = (draw: number): string => {
  const aim = draw * (SUMS.at(-1) as number);
  let [low, high] = [0, SUMS.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((SUMS[middle] as number) < aim) low = middle + 1;
    else high = middle;
  }
  return VOCABULARY[low] as string;
};

const sentenceBy = (random: () => number): string => {
  const words = Array.from({ length: 3 + Math.floor(random() * 9) }, () => wordBy(random()));
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${random() < 0.3 ? '?' : '.'}`;
};

/** Sentences of a help desk, made once. */
export const sentences = (random: () => number): string[] =>
  Array.from({ length: SENTENCES }, () => sentenceBy(random));
