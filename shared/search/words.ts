/** Words as they are searched: small letters without accents, nothing stemmed and none left out, for our texts are of many languages. */

/** A word where it stands in a text, and the words it is found by. */
interface Found {
  at: number;
  value: string;
  words: string[];
}

/** Letters of the longest word; more of it says nothing. */
const LONGEST = 64;
/** Different words kept of a record. */
const MOST = 1000;

/** An e-mail address is one word; it is bounded, so that a text of dots takes no longer than another. */
const WORD = /[\p{L}\p{M}\p{N}._%+'-]{1,64}@[\p{L}\p{N}-]{1,64}(?:\.[\p{L}\p{N}-]{1,64})+|[\p{L}\p{M}\p{N}_]+/gu;
const PART = /[\p{L}\p{M}\p{N}_]+/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const PLAIN = /^[\0-\x7f]*$/;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Composed again at the end, as Hangul would fall apart into letters. */
const folded = (word: string): string => {
  const bare = PLAIN.test(word)
    ? word
    : word
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .normalize('NFC');
  return bare.toLowerCase().slice(0, LONGEST).toWellFormed();
};

const partsOf = (address: string): string[] => (address.match(PART) ?? []).map(folded);

/** The words of a text in their order, with their places in it. */
export function* wordsIn(text: string): Generator<Found> {
  for (const { 0: value, index } of text.matchAll(WORD)) {
    if (value.includes('@')) yield { at: index, value, words: [folded(value), ...partsOf(value)] };
    else if (!UNSPACED.test(value)) yield { at: index, value, words: [folded(value)] };
    else
      for (const { segment, index: inside } of segmenter.segment(value))
        yield { at: index + inside, value: segment, words: [folded(segment)] };
  }
}

type Text = string | null | undefined;

/** The different words that texts are found by; an e-mail by its parts too. */
export const wordsOf = (...texts: Text[]): string[] => {
  const all = new Set<string>();
  for (const text of texts)
    for (const { words } of wordsIn(text ?? '')) for (const word of words) if (all.size < MOST) all.add(word);
  all.delete('');
  return [...all];
};

/** The different words that somebody looks for; an e-mail as a whole. */
export const wantedIn = (text: string): string[] => [
  ...new Set([...wordsIn(text)].flatMap(({ words: [word] }) => word || [])),
];
