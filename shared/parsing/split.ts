/** Cutting what is too long for one chunk, at the best seam its shape has. */
import { type Block, fence, toMarkdown } from './blocks.ts';
import { countTokens } from './tokens.ts';

/** Words with the space behind them; scripts without spaces part after their full stops. */
const WORDS = /[^\s。！？]*[。！？]+\s*|\S+\s*/g;
const ENDS_SENTENCE = /[.!?…。！？]["')\]]*\s*$|\n/;
/** Tokens of one heading in a path, at most. */
const HEADING_TOKENS = 24;

/** A text for each part of a block, none over `limit` tokens: sentences, lines of code, rows under their head. */
export function splitBlock(block: Block, limit: number): string[] {
  const whole = toMarkdown(block);
  if (countTokens(whole) <= limit) return [whole];
  switch (block.kind) {
    case 'code':
      return splitCode(block.text, block.language, limit);
    case 'table':
      return splitTable(block.head, block.rows, limit);
    case 'item':
      return splitItem(block.marker, block.body, limit);
    case 'definition':
      return [...splitText(block.term, limit), ...block.body.flatMap((inner) => splitBlock(inner, limit))];
    default:
      return splitText(whole, limit);
  }
}

/** Prose cut at sentences and lines, then at words, at last anywhere. */
export function splitText(text: string, limit: number): string[] {
  const byWords = (sentence: string) => pack(sentence.match(WORDS) ?? [], { limit }, (word) => splitWord(word, limit));
  return pack(sentencesOf(text), { limit }, byWords).map((part) => part.trim());
}

/** Sentences with the space behind them, so that joining them gives the text back. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let sentence = '';
  for (const word of text.match(WORDS) ?? []) {
    sentence += word;
    if (!ENDS_SENTENCE.test(word)) continue;
    sentences.push(sentence);
    sentence = '';
  }
  return sentence ? [...sentences, sentence] : sentences;
}

/** Code that quotes so many fences that its own would fill the chunk is cut as prose. */
function splitCode(code: string, language: string, limit: number): string[] {
  const room = limit - (countTokens(fence(code, language)) - countTokens(code));
  if (room < limit / 2) return splitText(code, limit);
  const parts = pack(code.split('\n'), { glue: '\n', limit: room }, (line) => splitText(line, room));
  return parts.filter((part) => part.trim()).map((part) => fence(part, language));
}

function splitTable(head: string[], rows: string[], limit: number): string[] {
  const title = head.join('\n');
  const size = countTokens(title);
  if (size > limit / 2) return splitTable([], [...head, ...rows], limit);
  const parts = pack(rows, { glue: '\n', limit: limit - size }, (row) => splitText(row, limit - size));
  return head.length > 0 ? parts.map((part) => `${title}\n${part}`) : parts;
}

function splitItem(marker: string, body: Block[], limit: number): string[] {
  const room = Math.max(1, limit - countTokens(marker));
  const units = body.map((block) => toMarkdown(block));
  const [first = '', ...rest] = pack(units, { glue: '\n\n', limit: room }, (_, at) =>
    splitBlock(body[at] as Block, room),
  );
  return [marker + first, ...rest];
}

/** How units join, and the tokens of what they make at most. */
type Packing = { glue?: string; limit: number };

/** Units put together in order, as many as fit; one that alone is too long is broken by `breakUp`. */
function pack(
  units: string[],
  { glue = '', limit }: Packing,
  breakUp: (unit: string, at: number) => string[],
): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  const flush = () => {
    if (part.length > 0) parts.push(part.join(glue));
    part = [];
    size = 0;
  };
  for (const [at, unit] of units.entries()) {
    const tokens = countTokens(unit);
    if (size + tokens > limit) flush();
    if (tokens > limit) parts.push(...breakUp(unit, at));
    else {
      part.push(unit);
      size += tokens;
    }
  }
  flush();
  return parts;
}

/** Halves until each half fits: never more than a few steps for any real word. */
function splitWord(word: string, limit: number): string[] {
  const letters = Array.from(word);
  if (letters.length < 2 || countTokens(word) <= limit) return [word];
  const middle = Math.ceil(letters.length / 2);
  return [...splitWord(letters.slice(0, middle).join(''), limit), ...splitWord(letters.slice(middle).join(''), limit)];
}

/** A text short enough to stand in a heading path; a longer one is cut and ends in `…`. */
export function shorten(text: string): string {
  const line = text.split('\n')[0] ?? '';
  return countTokens(line) <= HEADING_TOKENS ? line : `${splitText(line, HEADING_TOKENS - 1)[0]}…`;
}
