/** Reads tables: data tables stay tables, layout tables are dissolved into their contents. */
import type { Block } from './blocks.ts';
import { descendants, type Element, singleLineText } from './html-tree.ts';

const LAYOUT_CONTENT_NAMES = new Set(['h1', 'h2', 'h3', 'pre', 'table', 'ul', 'ol', 'dl']);

/** Returns a data table with its head, or the blocks of the cells of a layout table. */
export function tableBlocks(table: Element, blocksOf: (at: Element) => Block[]): Block[] {
  const rows = rowsOf(table);
  const caption = table.children
    .filter((child) => typeof child !== 'string' && child.name === 'caption')
    .map(singleLineText);
  const titles: Block[] = caption.filter(Boolean).map((text) => ({ kind: 'text', text }));
  if (isLayoutTable(rows)) return [...titles, ...rows.flat().flatMap(blocksOf)];
  const hasHead = rows[0]?.every(({ name }) => name === 'th') ?? false;
  const lines = rows.map((cells) => tableRow(cells.map((cell) => singleLineText(cell).replaceAll('|', '\\|'))));
  if (!hasHead) return [...titles, { kind: 'table', head: [], rows: lines }];
  const rule = `|${rows[0]?.map(() => '-').join('|')}|`;
  return [...titles, { kind: 'table', head: [lines[0] ?? '', rule], rows: lines.slice(1) }];
}

const tableRow = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** Returns the cells of each non-empty row; rows of nested tables are left out. */
function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = [];
  const visit = (at: Element): void => {
    for (const child of at.children) {
      if (typeof child === 'string') continue;
      if (child.name === 'tr') rows.push(child.children.filter(isCell));
      else if (['thead', 'tbody', 'tfoot'].includes(child.name)) visit(child);
    }
  };
  visit(table);
  return rows.filter((cells) => cells.some((cell) => cell.letters > 0));
}

function isCell(node: Element | string): node is Element {
  return typeof node !== 'string' && (node.name === 'td' || node.name === 'th');
}

/** Whether a table has a single column, or a cell with several paragraphs or long structured content. */
function isLayoutTable(rows: Element[][]): boolean {
  if (rows.every((cells) => cells.length < 2)) return true;
  return rows.flat().some((cell) => {
    const names = descendants(cell)
      .map(({ name }) => name)
      .toArray();
    return (
      names.filter((name) => name === 'p').length > 2 ||
      (cell.letters > 200 && names.some((name) => LAYOUT_CONTENT_NAMES.has(name)))
    );
  });
}
