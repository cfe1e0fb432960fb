/** Converts texts to the forms in which they are compared. */
import { fold } from '../../../search/fold.ts';

const WORD = /[\p{L}\p{N}]+/gu;

/** Returns the words of a text in order, as they are written. */
export const splitWords = (text: string): string[] => text.match(WORD) ?? [];

/** Returns the words of a text in order, in lower case and without accents. */
export const foldedWords = (text: string): string[] => splitWords(fold(text));
