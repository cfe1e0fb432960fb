/** A passage taken apart into what can be quoted: sentences, and blocks that only make sense whole. */

/** A quotable part; `code` is a fenced block with its fences. */
export interface Unit {
  kind: 'sentence' | 'code' | 'block';
  text: string;
}

const FENCED = /^[ \t]*(`{3,})[^\n]*\n[\s\S]*?\n[ \t]*\1[ \t]*$/gm;
const HEADING = /^#{1,6}\s/;
const TABLE = /^\|.*\|/;
const MARKER = /^\s*(?:[-*•]|\d+[.)]|:)\s+/;
/** A line shorter than this that ends no sentence is a label, which says nothing alone. */
const LABEL = 25;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

const isLabel = (text: string): boolean => text.length < LABEL && !/[.!?。！？:]$/.test(text);

const sentencesOf = (text: string): Unit[] =>
  [...sentences.segment(text.replace(/\s+/g, ' '))]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence && !isLabel(sentence))
    .map((text) => ({ kind: 'sentence', text }));

/** A term on one line with its definition below reads as one sentence: `term: definition`. */
const joinTerms = (paragraph: string): string => paragraph.replace(/^([^\n]+)\n:\s+/gm, '$1: ');

const itemsOf = (paragraph: string): string[] => joinTerms(paragraph).split(/\n(?=\s*(?:[-*•]|\d+[.)])\s)/);

function unitsOfProse(prose: string): Unit[] {
  return prose.split(/\n\s*\n/).flatMap((paragraph): Unit[] => {
    const text = paragraph.trim();
    if (!text || HEADING.test(text)) return [];
    if (TABLE.test(text)) return [{ kind: 'block', text }];
    return itemsOf(text).flatMap((item) => sentencesOf(item.replace(MARKER, '')));
  });
}

/** The units of a passage in reading order; `clean` sees prose before it is taken apart, code stays as it is. */
export function unitsOf(passage: string, clean = (prose: string) => prose): Unit[] {
  const units: Unit[] = [];
  let from = 0;
  for (const { 0: text, index } of passage.matchAll(FENCED)) {
    units.push(...unitsOfProse(clean(passage.slice(from, index))), { kind: 'code', text });
    from = index + text.length;
  }
  return [...units, ...unitsOfProse(clean(passage.slice(from)))];
}
