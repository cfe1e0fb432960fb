/** Parses Markdown, or plain text that may contain some, into blocks. */
import type { Block } from './blocks.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]{0,20})/;
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/;
const CLOSING_MARKS = /\s#+$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])\s+(?=\S)/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const TABLE_RULE = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/;
const EXPLANATION = /^: +/;

/** Lists nested deeper than this are read as plain text. */
const MAX_DEPTH = 20;

/** The position of a reader in the lines of a text. */
type LineReader = { lines: string[]; at: number; depth: number };

/** Returns the non-empty blocks of a Markdown text. Text of no known form becomes a paragraph, so that none is lost. */
export function readMarkdown(text: string, depth = 0): Block[] {
  const from: LineReader = { lines: text.replace(/\r\n?/g, '\n').split('\n'), at: 0, depth };
  const blocks: Block[] = [];
  while (from.at < from.lines.length) {
    const line = from.lines[from.at] ?? '';
    if (!line.trim() || RULE.test(line)) from.at++;
    else
      blocks.push(
        ...(readFence(from) ?? [
          BLOCK_READERS.values()
            .map((read) => read(from))
            .find(Boolean) ?? readParagraph(from),
        ]),
      );
  }
  return blocks;
}

const peek = ({ lines, at }: LineReader, ahead = 0): string | undefined => lines[at + ahead];

/** An empty code block yields no block. */
function readFence(from: LineReader): Block[] | undefined {
  const [, ticks, language = ''] = FENCE.exec(peek(from) ?? '') ?? [];
  if (!ticks) return undefined;
  const closes = (line: string) =>
    line.trim().startsWith(ticks) &&
    !line
      .trim()
      .slice(ticks.length)
      .replaceAll(ticks[0] ?? '', '');
  const code = takeWhile({ from, skip: 1 }, (line) => !closes(line));
  from.at++;
  return code.some((line) => line.trim()) ? [{ kind: 'code', text: code.join('\n'), language }] : [];
}

function readHeading(from: LineReader): Block | undefined {
  const line = peek(from) ?? '';
  const [, marks, text] = HEADING.exec(line) ?? [];
  if (marks && text) {
    from.at++;
    return { kind: 'heading', level: marks.length, text: text.trimEnd().replace(CLOSING_MARKS, '').trimEnd() };
  }
  const [, underline] = UNDERLINE.exec(peek(from, 1) ?? '') ?? [];
  if (!underline || ITEM.test(line) || line.includes('|')) return undefined;
  from.at += 2;
  return { kind: 'heading', level: underline.startsWith('=') ? 1 : 2, text: line.trim() };
}

function readTable(from: LineReader): Block | undefined {
  const rule = peek(from, 1)?.trim() ?? '';
  if (!peek(from)?.includes('|') || !rule.includes('|') || !TABLE_RULE.test(rule)) return undefined;
  const lines = takeWhile({ from, skip: 0 }, (line) => line.includes('|'));
  return { kind: 'table', head: lines.slice(0, 2), rows: lines.slice(2) };
}

/** Reads a list item with the lines indented below it and those that continue its paragraph. */
function readItem(from: LineReader): Block | undefined {
  const [start, indent = '', mark] = ITEM.exec(peek(from) ?? '') ?? [];
  if (!start || from.depth >= MAX_DEPTH) return undefined;
  const first = (peek(from) ?? '').slice(start.length);
  const deeper = indent.length + 2;
  const rest = takeWhile({ from, skip: 1 }, (line, at) => {
    if (!line.trim()) return indentOf(from.lines[at + 1] ?? '') >= deeper;
    return indentOf(line) >= deeper || (Boolean(from.lines[at - 1]?.trim()) && !startsBlock(line));
  });
  const body = readMarkdown(
    [first, ...rest.map((line) => line.slice(Math.min(indentOf(line), start.length)))].join('\n'),
    from.depth + 1,
  );
  return { kind: 'item', marker: /\d/.test(mark ?? '') ? `${Number.parseInt(mark ?? '', 10)}. ` : '- ', body };
}

/** Reads a term with its explanations, which are lines that start with a colon. */
function readDefinition(from: LineReader): Block | undefined {
  if (!EXPLANATION.test(peek(from, 1) ?? '') || from.depth >= MAX_DEPTH) return undefined;
  const term = (peek(from) ?? '').trim();
  const lines = takeWhile(
    { from, skip: 1 },
    (line, at) =>
      EXPLANATION.test(line) || indentOf(line) >= 2 || (!line.trim() && indentOf(from.lines[at + 1] ?? '') >= 2),
  );
  const body = readMarkdown(lines.map((line) => line.replace(/^: +| {2}/, '')).join('\n'), from.depth + 1);
  return { kind: 'definition', term, body };
}

function readParagraph(from: LineReader): Block {
  const first = peek(from) ?? '';
  const lines = [first, ...takeWhile({ from, skip: 1 }, (line) => Boolean(line.trim()) && !startsBlock(line))];
  return { kind: 'text', text: lines.map((line) => line.trim().replace(/^> ?/, '')).join('\n') };
}

const BLOCK_READERS = [readHeading, readTable, readItem, readDefinition];

const startsBlock = (line: string): boolean =>
  FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || RULE.test(line);
const indentOf = (line: string): number => (line.trim() ? line.search(/\S/) : 0);

/**
 * Returns the lines from the current one (after `skip`) as long as `belongs` holds, and moves the position behind them.
 */
function takeWhile(
  { from, skip }: { from: LineReader; skip: number },
  belongs: (line: string, at: number) => boolean,
): string[] {
  let end = from.at + skip;
  while (end < from.lines.length && belongs(from.lines[end] ?? '', end)) end++;
  const taken = from.lines.slice(from.at + skip, end);
  from.at = end;
  return taken;
}
