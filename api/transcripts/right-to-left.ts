/** Orders the words of a line that mixes left-to-right and right-to-left text. */

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LETTER = /\p{L}/u;

/** Whether the text contains right-to-left letters. */
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Whether the first letter of the text is right-to-left. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '');

/** Groups adjacent words of the same direction. A word without letters joins the group before it. */
const directionRuns = (words: string[], isLineBackwards: boolean) => {
  const runs: { backwards: boolean; words: string[] }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    const backwards = LETTER.test(word) ? hasRightToLeft(word) : (last?.backwards ?? isLineBackwards);
    if (last?.backwards === backwards) last.words.push(word);
    else runs.push({ backwards, words: [word] });
  }
  return runs;
};

/** Returns the words of a line in visual order from left to right. `backwards`: whether the text is right-to-left. */
export const visualOrder = (words: string[], backwards: boolean): string[] => {
  const runs = directionRuns(words, backwards).map((run) => (run.backwards ? run.words.toReversed() : run.words));
  return (backwards ? runs.toReversed() : runs).flat();
};
