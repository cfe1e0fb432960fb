/** Folding of text for comparison. */

/** Matches a character of a script that is written without spaces between words. */
export const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Removes accents and other combining marks. The result is composed again (NFC), because NFKD splits Hangul syllables.
 */
export const removeAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');

/** Returns a string in lower case and without accents, with `ss` for `ß`. */
export const fold = (text: string): string => removeAccents(text).toLowerCase().replaceAll('ß', 'ss');
