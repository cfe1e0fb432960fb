/** An answer without a language model: the best sentences of the best pages, each with its citation. */
import { embedder } from '../embedding/embedder.ts';
import { inert } from './inert.ts';
import type { Passage } from './retrieve.ts';
import { type Unit, unitsOf } from './units.ts';
import { contentWords, isAmong, stemsOf } from './words.ts';

/** A source of the answer; its text refers to it by `[source_id]`. */
export interface Citation {
  source_id: number;
  source_name: string;
  source: string;
}

/** The answer, its sources in the order of their numbers, and the passages quoted. */
export interface Extracted {
  answer: string;
  citations: Citation[];
  used: Passage[];
}

/** Pages cited at most: the right one is among the first five far more often than first. */
const PAGES = 5;
/** Sentences of the first page, and of each further one. */
const SENTENCES = [3, 1];
/** Sentences compared by meaning, of the first page and of each further one: each costs some 5 ms. */
const COMPARED = [8, 3];
/** A unit's share of meaning, the rest is words. */
const MEANING = 0.8;
/** Characters of one quoted unit. */
const LONGEST = 1200;

interface Quotable extends Unit {
  passage: Passage;
  at: number;
  words: number;
}

const share = (words: string[], text: string): number => {
  const stems = stemsOf(text);
  return words.length ? words.filter((word) => isAmong(word, stems)).length / words.length : 0;
};

/** The units of a page's best passage that can be shown, with the question's words in them. */
function quotables(passage: Passage, words: string[]): Quotable[] {
  return unitsOf(passage.text)
    .map((unit) => ({ ...unit, text: unit.kind === 'code' ? unit.text : inert(unit.text, passage.source) }))
    .filter(({ text }) => text && text.length <= LONGEST)
    .map((unit, at) => ({ ...unit, passage, at, words: share(words, unit.text) }));
}

/** Those worth comparing: the ones with most words of the question, the earliest first among equals; code follows its sentence. */
const likely = (units: Quotable[], most: number): Quotable[] =>
  units
    .filter(({ kind }) => kind !== 'code')
    .toSorted((a, b) => b.words - a.words || a.at - b.at)
    .slice(0, most);

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);

/** A score for each unit; by words alone where no model is there. */
async function scores(
  question: string,
  units: Quotable[],
  { project, signal }: { project: string; signal?: AbortSignal },
): Promise<Map<Quotable, number>> {
  const model = embedder();
  if (!model) return new Map(units.map((unit) => [unit, unit.words]));
  const texts = units.map(({ text, passage }) => [passage.headings.at(-1), text].filter(Boolean).join('\n'));
  const [asked, ...vectors] = await model.embed([question, ...texts], { project, priority: true, signal });
  return new Map(
    units.map((unit, at) => [
      unit,
      MEANING * dot(asked as Float32Array, vectors[at] as Float32Array) + (1 - MEANING) * unit.words,
    ]),
  );
}

/** The best `most` sentences in reading order; code that follows a sentence ending in a colon comes along. */
function quote(all: Quotable[], score: Map<Quotable, number>, most: number): string {
  const best = [...score.keys()]
    .filter((unit) => all.includes(unit))
    .toSorted((a, b) => (score.get(b) ?? 0) - (score.get(a) ?? 0))
    .slice(0, most);
  const chosen = new Set(best.length ? best : all.slice(0, 1));
  for (const unit of [...chosen]) {
    const next = all[unit.at + 1];
    if (next && next.kind !== 'sentence' && /[:：]$/.test(unit.text)) chosen.add(next);
  }
  const parts = all.filter((unit) => chosen.has(unit));
  return parts.reduce(
    (text, { kind, text: part }) => text + (text ? (kind === 'sentence' ? ' ' : '\n\n') : '') + part,
    '',
  );
}

/** A number behind a text; below code it stands on a line of its own, or it would break the fence. */
const numbered = (text: string, number: number): string => `${text}${/`{3,}$/.test(text) ? '\n' : ' '}[${number}]`;

const pagesOf = (passages: Passage[]): Passage[] =>
  [...new Map(passages.toReversed().map((passage) => [passage.content, passage])).values()].toReversed();

/** Answers from passages, best first; an empty answer when nothing in them can be quoted. Takes some 100 to 300 ms with a local model. */
export async function extract(
  question: string,
  passages: Passage[],
  where: { project: string; signal?: AbortSignal },
): Promise<Extracted> {
  const words = contentWords(question);
  const pages = pagesOf(passages)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, PAGES)
    .map((passage) => ({ passage, units: quotables(passage, words) }))
    .filter(({ units }) => units.length > 0);
  const compared = pages.flatMap(({ units }, at) => likely(units, COMPARED[at ? 1 : 0] as number));
  const score = await scores(question, compared, where);
  const quotes = pages.map(({ units }, at) => numbered(quote(units, score, SENTENCES[at ? 1 : 0] as number), at + 1));
  const used = pages.map(({ passage }) => passage);
  const citations = used.map(({ name, source }, at) => ({ source_id: at + 1, source_name: name, source }));
  return { answer: quotes.join('\n\n'), citations, used };
}
