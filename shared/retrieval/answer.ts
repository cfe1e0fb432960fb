/** An answer without a language model: the best sentences of the best pages, each with its citation. */
import { inert } from './inert.ts';
import { type Asker, compare, likely, type Quotable, quotablesOf, quote } from './quotes.ts';
import type { Passage } from './retrieve.ts';
import { contentWords } from './words.ts';

/** A source of the answer; its text refers to it by `[source_id]`. */
export interface Citation {
  source_id: number;
  source_name: string;
  source: string;
}

/** The answer, its sources in the order of their numbers, and the passages it is from. */
export interface Extracted {
  answer: string;
  citations: Citation[];
  used: Passage[];
}

/** Pages cited at most: twice as often as the first alone, the first five hold the right one; three more add 2 %. */
const PAGES = 5;
/** A page this much below the best is left out. */
const TOO_FAR = 0.4;
/** Sentences quoted of the first page and of each further one, and sentences compared for that, at some 5 ms each. */
const FIRST = { quoted: 3, compared: 8 };
const FURTHER = { quoted: 1, compared: 3 };
/** A further page whose best sentence has less of the first page's score is named, not quoted. */
const WORTH_QUOTING = 0.6;

interface Page {
  passage: Passage;
  units: Quotable[];
}

/** The best passage of each page, best first. */
function pagesOf(passages: Passage[]): Passage[] {
  const sorted = passages.toSorted((a, b) => b.score - a.score);
  const pages = [...Map.groupBy(sorted, ({ content }) => content).values()].map((page) => page[0] as Passage);
  return pages.filter(({ score }) => score >= (pages[0]?.score ?? 0) - TOO_FAR).slice(0, PAGES);
}

const bestOf = ({ units }: Page): number => units.reduce((top, { score }) => Math.max(top, score), 0);

/** A number behind a text; below code it stands on a line of its own, or it would break the fence. */
const numbered = (text: string, number: number): string => `${text}${/`{3,}$/.test(text) ? '\n\n' : ' '}[${number}]`;

/** The text of the answer: quotes, then the names of pages that may hold more. */
function textOf(pages: Page[]): string {
  const least = WORTH_QUOTING * (pages[0] ? bestOf(pages[0]) : 0);
  const lines: string[] = [];
  const names: string[] = [];
  for (const [at, page] of pages.entries()) {
    const { quoted } = at ? FURTHER : FIRST;
    if (at === 0 || bestOf(page) >= least) lines.push(numbered(quote(page.units, quoted), at + 1));
    else names.push(numbered(inert(page.passage.name, page.passage.source), at + 1));
  }
  return [...lines, names.join(' · ')].filter(Boolean).join('\n\n');
}

/** Answers from passages; an empty answer when nothing in them can be quoted. Takes some 100 ms with the local model. */
export async function extract(question: string, passages: Passage[], asker: Asker): Promise<Extracted> {
  const words = contentWords(question);
  const pages = pagesOf(passages)
    .map((passage) => ({ passage, units: quotablesOf(passage, words) }))
    .filter(({ units }) => units.length > 0);
  const compared = pages.flatMap(({ passage, units }, at) =>
    likely(units, (at ? FURTHER : FIRST).compared).map((unit) => ({ unit, heading: passage.headings.at(-1) ?? '' })),
  );
  await compare(question, compared, asker);
  const used = pages.map(({ passage }) => passage);
  const citations = used.map(({ name, source }, at) => ({ source_id: at + 1, source_name: name, source }));
  return { answer: textOf(pages), citations, used };
}
