/** What of a passage is worth quoting: its units, and how well each meets the question. */
import { embedder } from '../embedding/embedder.ts';
import { cosine } from './cosine.ts';
import { inert } from './inert.ts';
import type { Passage } from './retrieve.ts';
import { type Unit, unitsOf } from './units.ts';
import { isAmong, stemsOf } from './words.ts';

/** A sentence's share of meaning, the rest is words. */
const MEANING = 0.8;
/** Characters of one unit, at most. */
const LONGEST = 1200;
/** A unit that announces what follows. */
const ANNOUNCES = /[:：]$/;

/** A unit that can be shown: nothing in it loads or links; `score` is none for one that was not compared. */
export interface Quotable extends Unit {
  at: number;
  words: number;
  score: number;
}

const share = (words: string[], text: string): number => {
  const stems = stemsOf(text);
  return words.length ? words.filter((word) => isAmong(word, stems)).length / words.length : 0;
};

/** The units of a passage in reading order, with the share of the question's words in each. */
export const quotablesOf = ({ text, source }: Passage, words: string[]): Quotable[] =>
  unitsOf(text, (prose) => inert(prose, source))
    .filter(({ text }) => text.length <= LONGEST)
    .map((unit, at) => ({ ...unit, at, words: share(words, unit.text), score: 0 }));

/** The units worth comparing: those with most words of the question, the earlier first; code is not read, it follows. */
export const likely = (units: Quotable[], most: number): Quotable[] =>
  units
    .filter(({ kind }) => kind !== 'code')
    .toSorted((a, b) => b.words - a.words || a.at - b.at)
    .slice(0, most);

/** Who asks, and until when. */
export interface Asker {
  project: string;
  signal?: AbortSignal;
}

/** Scores units against the question, each under its passage's heading; by words alone where no model is. */
export async function compare(question: string, units: { unit: Quotable; heading: string }[], asker: Asker) {
  for (const { unit } of units) unit.score = unit.words;
  const texts = units.map(({ unit, heading }) => (heading ? `${heading}\n${unit.text}` : unit.text));
  const model = embedder();
  if (!model) return;
  const [asked, ...vectors] = await model.embed([question, ...texts], { ...asker, priority: true });
  units.forEach(({ unit }, at) => (unit.score = MEANING * cosine(asked, vectors[at]) + (1 - MEANING) * unit.words));
}

/** The best `most` units in reading order, as text; what a unit announces comes along. */
export function quote(units: Quotable[], most: number): string {
  const best = units.toSorted((a, b) => b.score - a.score || a.at - b.at).slice(0, most);
  const chosen = new Set(best.flatMap((unit) => [unit, ANNOUNCES.test(unit.text) ? units[unit.at + 1] : undefined]));
  let text = '';
  let before: Unit | undefined;
  for (const unit of units.filter((unit) => chosen.has(unit))) {
    const prose = unit.kind === 'sentence' && before?.kind === 'sentence';
    text += (before ? (prose ? ' ' : '\n\n') : '') + unit.text;
    before = unit;
  }
  return text;
}
