/** Estimates how likely it is that one word is a misspelling of another, with a weighted edit distance. */

/** The weight of each kind of edit that turns the known word into the typed word. */
export interface EditWeights {
  /** Two adjacent letters are exchanged. */
  exchanged: number;
  /** A letter is typed twice, or a double letter once. */
  doubled: number;
  /** Any other letter is missing or added. */
  inserted: number;
  /** A letter is replaced by a neighbour on the keyboard, or a vowel by another vowel. */
  neighbour: number;
  /** A letter is replaced by any other letter. */
  replaced: number;
  /** The extra weight of an edit of the first letter. */
  first: number;
  /** The extra weight of a letter that is missing or added at the end. */
  last: number;
}

const KEYBOARD_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
/** The row and column offsets from a key to the keys that touch it. The rows are shifted by half a key. */
const TOUCHING_OFFSETS = [
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 0],
  [-1, 0],
  [-1, 1],
] as const;
const VOWELS = 'aeiouy';

const pairsOfLetters = (letters: string, others: string): string[] =>
  letters.split('').flatMap((letter) => others.split('').map((other) => letter + other));

/** The pairs of letters whose keys touch each other, on a QWERTY keyboard. */
export const TOUCHING_KEYS: ReadonlySet<string> = new Set(
  KEYBOARD_ROWS.flatMap((row, rowIndex) =>
    row.split('').flatMap((letter, column) =>
      TOUCHING_OFFSETS.map(([rowOffset, offset]) => KEYBOARD_ROWS[rowIndex + rowOffset]?.[column + offset])
        .filter((neighbour) => neighbour !== undefined)
        .map((neighbour) => letter + neighbour),
    ),
  ),
);
const LIKELY_REPLACEMENTS = new Set([...TOUCHING_KEYS, ...pairsOfLetters(VOWELS, VOWELS)]);

/** Returns the weight of the edit that adds or removes the letter at `index`, which only `word` has. */
const insertionWeight = (word: string, index: number, weights: EditWeights): number => {
  const isDoubled = word[index] === word[index - 1] || word[index] === word[index + 1];
  const isLast = word.slice(index) === (word[index] ?? '').repeat(word.length - index);
  const isFirst = index === 0 && !isDoubled;
  return (isDoubled ? weights.doubled : weights.inserted) + (isFirst ? weights.first : 0) + (isLast ? weights.last : 0);
};

const replacementWeight = (pair: string, index: number, weights: EditWeights): number => {
  if (pair[0] === pair[1]) return 0;
  return (LIKELY_REPLACEMENTS.has(pair) ? weights.neighbour : weights.replaced) + (index === 0 ? weights.first : 0);
};

/** Returns the lowest sum of weights of edits that turn `known` into `typed`; 0 for identical words. */
export function typingErrorCost(typed: string, known: string, weights: EditWeights): number {
  let beforeLast: number[] = [];
  let last = [0];
  for (let column = 0; column < known.length; column++)
    last.push((last[column] as number) + insertionWeight(known, column, weights));
  for (let row = 0; row < typed.length; row++) {
    const current = [(last[0] as number) + insertionWeight(typed, row, weights)];
    for (let column = 0; column < known.length; column++) {
      const [letter, other] = [typed[row] as string, known[column] as string];
      const isExchange = letter === known[column - 1] && typed[row - 1] === other && letter !== other;
      const exchanged = weights.exchanged + (Math.min(row, column) === 1 ? weights.first : 0);
      current.push(
        Math.min(
          (last[column] as number) + replacementWeight(letter + other, Math.min(row, column), weights),
          (last[column + 1] as number) + insertionWeight(typed, row, weights),
          (current[column] as number) + insertionWeight(known, column, weights),
          isExchange ? (beforeLast[column - 1] as number) + exchanged : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[known.length] as number;
}
