/** Reads tables. A data table becomes a table block; a layout table is replaced by the blocks in its cells. */
import type { CheerioAPI } from 'cheerio/slim';
import type { ChildNode, Element } from 'domhandler';
import type { Block } from './blocks.ts';
import { select } from './html-document.ts';
import { countLetters, singleLineText } from './page-text.ts';

const ROWS = ':scope > tr, :scope > :is(thead, tbody, tfoot) > tr';
const LAYOUT_CONTENT = 'h1, h2, h3, pre, table, ul, ol, dl';

/** Returns a data table with its head, or the blocks of the cells of a layout table. */
export function tableBlocks($: CheerioAPI, table: Element, blocksOf: (nodes: ChildNode[]) => Block[]): Block[] {
  const rows = rowsOf($, table);
  const captions = $(table).children('caption').get().map(singleLineText).filter(Boolean);
  const titles: Block[] = captions.map((text) => ({ kind: 'text', text }));
  if (isLayoutTable($, rows)) return [...titles, ...rows.flat().flatMap(({ children }) => blocksOf(children))];
  const hasHead = rows[0]?.every(({ name }) => name === 'th') ?? false;
  const lines = rows.map((cells) => tableRow(cells.map((cell) => singleLineText(cell).replaceAll('|', '\\|'))));
  if (!hasHead) return [...titles, { kind: 'table', head: [], rows: lines }];
  const rule = `|${rows[0]?.map(() => '-').join('|')}|`;
  return [...titles, { kind: 'table', head: [lines[0] ?? '', rule], rows: lines.slice(1) }];
}

const tableRow = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** Returns the cells of each non-empty row, excluding the rows of nested tables. */
const rowsOf = ($: CheerioAPI, table: Element): Element[][] =>
  $(table)
    .find(ROWS)
    .get()
    .filter((row) => countLetters($(row).children('td, th').text()) > 0)
    .map((row) => $(row).children('td, th').get());

/**
 * Whether a table is a layout table: it has a single column, or a cell with several paragraphs or long structured
 * content.
 */
const isLayoutTable = ($: CheerioAPI, rows: Element[][]): boolean =>
  rows.every((cells) => cells.length < 2) || rows.flat().some((cell) => isLayoutCell($, cell));

const isLayoutCell = ($: CheerioAPI, cell: Element): boolean =>
  select($, cell, 'p').length > 2 || (countLetters($(cell).text()) > 200 && select($, cell, LAYOUT_CONTENT).length > 0);
