/** A generator of random numbers that are at least 0 and below 1. The functions below draw values with it. */
export type Draw = () => number;

/** One of the items. */
export const pick = <T>(draw: Draw, items: readonly T[]): T => items[Math.floor(draw() * items.length)] as T;

/** An integer from `min` to `max`. */
export const drawInteger = (draw: Draw, min: number, max: number): number => Math.floor(min + draw() * (max - min + 1));

const ALPHABETS = ['abc xyz', 'ÄÖÜß€', 'שלום', '漢字かな', '👩‍👩‍👧 🇩🇪', 'e\u0301a\u0308', '\\"\'`<>&;{}%$.'];

/** A string of `length` UTF-16 code units from one of the alphabets. */
export const drawText = (draw: Draw, length: number): string => {
  const alphabet = pick(draw, ALPHABETS);
  const start = Math.floor(draw() * alphabet.length);
  return alphabet.repeat(Math.ceil(length / alphabet.length) + 1).slice(start, start + length);
};
