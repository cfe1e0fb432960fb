/** Splits blocks that are too long for one chunk, at the best boundaries for their kind. */
import { type Block, fenceCode, toMarkdown } from './blocks.ts';
import { countTokens } from './count-tokens.ts';

/** Words with the space after them. Text in a script without spaces is split after the punctuation of a sentence. */
const WORD = /[^\s。！？]*[。！？]+\s*|\S+\s*/g;
const ENDS_SENTENCE = /[.!?…。！？]["')\]]*\s*$|\n/;
/** Maximum number of tokens of one heading in a heading path, which leads from the page's title to a chunk. */
const MAX_HEADING_TOKENS = 24;

/**
 * Splits a block into texts of at most `limit` tokens: prose by sentence, code by line, and tables by row, repeating
 * the head in each text.
 */
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

/** Splits prose after sentences and lines, a long sentence after words, and a long word anywhere. */
export function splitText(text: string, limit: number): string[] {
  const splitByWords = (sentence: string) =>
    packUnits(sentence.match(WORD) ?? [], { limit }, (word) => splitWord(word, limit));
  return packUnits(sentencesOf(text), { limit }, splitByWords).map((part) => part.trim());
}

/** Splits a string into sentences with the space after them. Joined, they give the original text. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let sentence = '';
  for (const word of text.match(WORD) ?? []) {
    sentence += word;
    if (!ENDS_SENTENCE.test(word)) continue;
    sentences.push(sentence);
    sentence = '';
  }
  return sentence ? [...sentences, sentence] : sentences;
}

/** Splits code by line, or as prose if its fence would take more than half of a chunk. */
function splitCode(code: string, language: string, limit: number): string[] {
  const codeLimit = limit - (countTokens(fenceCode(code, language)) - countTokens(code));
  if (codeLimit < limit / 2) return splitText(code, limit);
  const parts = packUnits(code.split('\n'), { glue: '\n', limit: codeLimit }, (line) => splitText(line, codeLimit));
  return parts.filter((part) => part.trim()).map((part) => fenceCode(part, language));
}

function splitTable(head: string[], rows: string[], limit: number): string[] {
  const title = head.join('\n');
  const size = countTokens(title);
  if (size > limit / 2) return splitTable([], [...head, ...rows], limit);
  const parts = packUnits(rows, { glue: '\n', limit: limit - size }, (row) => splitText(row, limit - size));
  return head.length > 0 ? parts.map((part) => `${title}\n${part}`) : parts;
}

function splitItem(marker: string, body: Block[], limit: number): string[] {
  const bodyLimit = Math.max(1, limit - countTokens(marker));
  const units = body.map((block) => toMarkdown(block));
  const [first = '', ...rest] = packUnits(units, { glue: '\n\n', limit: bodyLimit }, (_, at) =>
    splitBlock(body[at] as Block, bodyLimit),
  );
  return [marker + first, ...rest];
}

/** The separator between units, and the maximum number of tokens in a part. */
type PackOptions = { glue?: string; limit: number };

/**
 * Packs units (sentences, words, lines or blocks) into parts in order, as many into each part as fit. `splitUnit`
 * splits a unit that is too long.
 */
function packUnits(
  units: string[],
  { glue = '', limit }: PackOptions,
  splitUnit: (unit: string, at: number) => string[],
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
    if (tokens > limit) parts.push(...splitUnit(unit, at));
    else {
      part.push(unit);
      size += tokens;
    }
  }
  flush();
  return parts;
}

/** Halves a word until each part fits. */
function splitWord(word: string, limit: number): string[] {
  const letters = Array.from(word);
  if (letters.length < 2 || countTokens(word) <= limit) return [word];
  const middle = Math.ceil(letters.length / 2);
  return [...splitWord(letters.slice(0, middle).join(''), limit), ...splitWord(letters.slice(middle).join(''), limit)];
}

/** Shortens text for a heading path; shortened text ends in `…`. */
export function shortenHeading(text: string): string {
  const line = text.split('\n')[0] ?? '';
  return countTokens(line) <= MAX_HEADING_TOKENS ? line : `${splitText(line, MAX_HEADING_TOKENS - 1)[0]}…`;
}
