/** Splits a chunk into units that can be quoted: sentences, and blocks that make sense only as a whole. */
import { splitAtCode } from '../../../parsing/markdown.ts';

/** A quotable part of a chunk. `code` is a fenced block including its fences. */
export interface TextUnit {
  kind: 'sentence' | 'code' | 'block';
  text: string;
}

const HEADING = /^#{1,6}\s/;
const TABLE = /^\|.*\|/;
const LIST_MARKER = /^\s*(?:[-*•]|\d+[.)]|:)\s+/;
/** A shorter text without a closing punctuation mark is a label, which is not worth quoting. */
const MAX_LABEL_CHARACTERS = 25;

const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

const isLabel = (text: string): boolean => text.length < MAX_LABEL_CHARACTERS && !/[.!?。！？:]$/.test(text);

const splitSentences = (text: string): TextUnit[] =>
  [...sentenceSegmenter.segment(text.replace(/\s+/g, ' '))]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence && !isLabel(sentence))
    .map((text) => ({ kind: 'sentence', text }));

/** Joins a term and its definition on the next line: `term: definition`. */
const joinDefinitions = (paragraph: string): string => paragraph.replace(/^([^\n]+)\n:\s+/gm, '$1: ');

const splitListItems = (paragraph: string): string[] =>
  joinDefinitions(paragraph).split(/\n(?=\s*(?:[-*•]|\d+[.)])\s)/);

function splitProse(prose: string): TextUnit[] {
  return prose.split(/\n\s*\n/).flatMap((paragraph): TextUnit[] => {
    const text = paragraph.trim();
    if (!text || HEADING.test(text)) return [];
    if (TABLE.test(text)) return [{ kind: 'block', text }];
    return splitListItems(text).flatMap((item) => splitSentences(item.replace(LIST_MARKER, '')));
  });
}

/** Splits a chunk into units in reading order. `clean` is applied to prose before it is split, but not to code. */
export function splitIntoUnits(chunk: string, clean = (prose: string) => prose): TextUnit[] {
  return splitAtCode(chunk).flatMap(({ isCode, text }): TextUnit[] =>
    isCode ? [{ kind: 'code', text }] : splitProse(clean(text)),
  );
}
