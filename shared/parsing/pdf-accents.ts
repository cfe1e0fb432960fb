/**
 * Joins accents with their letters. Some programs, such as TeX, print an accent and its letter as two pieces of text,
 * one on top of the other: `f¨` and `ur` for "für".
 */

/** Accents that are printed as characters of their own, with the combining characters of the same accents. */
const COMBINING_ACCENTS: Record<string, string> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '^': '\u0302',
  '˜': '\u0303',
  '~': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
  '˛': '\u0328',
};
/** Letters without a dot, which are printed below accents, with the ordinary letters that they stand for. */
const WITH_DOT: Record<string, string> = { ı: 'i', ȷ: 'j' };

/** Returns a letter with an accent as one character; null if there is no such character. */
const withAccent = (letter: string, accent: string): string | null => {
  const composed = ((WITH_DOT[letter] ?? letter) + (COMBINING_ACCENTS[accent] ?? '')).normalize('NFC');
  return composed !== letter && /^\p{L}$/u.test(composed) ? composed : null;
};

/**
 * Joins a text with the text that is printed over its end, if the last character of the former and the first of the
 * latter are an accent and its letter, in either order. Returns null otherwise.
 */
export const joinOverprinted = (text: string, over: string): string | null => {
  const [last = '', first = ''] = [text.at(-1), over.at(0)];
  const isAccentFirst = last in COMBINING_ACCENTS;
  if (!isAccentFirst && !(first in COMBINING_ACCENTS)) return null;
  const letter = isAccentFirst ? withAccent(first, last) : withAccent(last, first);
  return letter && text.slice(0, text.length - last.length) + letter + over.slice(first.length);
};
