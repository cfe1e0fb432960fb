/** The order in which words stand on a line, where some of them are read from right to left. */

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LETTER = /\p{L}/u;

/** True where something in it is read from right to left. */
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** True where its first letter is. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '');

/** Words of one direction beside each other; a number or sign goes with what it follows. */
const runsOf = (words: string[], base: boolean) => {
  const runs: { backwards: boolean; words: string[] }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    const backwards = LETTER.test(word) ? hasRightToLeft(word) : (last?.backwards ?? base);
    if (last?.backwards === backwards) last.words.push(word);
    else runs.push({ backwards, words: [word] });
  }
  return runs;
};

/** The words of a line from left to right; `backwards` where the text as a whole is read from right to left. */
export const inSight = (words: string[], backwards: boolean): string[] => {
  const runs = runsOf(words, backwards).map((run) => (run.backwards ? run.words.toReversed() : run.words));
  return (backwards ? runs.toReversed() : runs).flat();
};
