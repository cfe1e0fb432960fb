/** Tables: rows of facts stay rows, tables that only arrange a page dissolve. */
import type { Block } from './blocks.ts';
import { type Element, elements, lineOf } from './tree.ts';

const ARRANGED = new Set(['h1', 'h2', 'h3', 'pre', 'table', 'ul', 'ol', 'dl']);

/** A table as rows with its head; one that arranges whole passages, or has one column, as the passages themselves. */
export function tableBlocks(table: Element, blocksOf: (at: Element) => Block[]): Block[] {
  const rows = rowsOf(table);
  const caption = table.children.filter((child) => typeof child !== 'string' && child.name === 'caption').map(lineOf);
  const titles: Block[] = caption.filter(Boolean).map((text) => ({ kind: 'text', text }));
  if (isArranging(rows)) return [...titles, ...rows.flat().flatMap(blocksOf)];
  const headed = rows[0]?.every(({ name }) => name === 'th') ?? false;
  const lines = rows.map((cells) => row(cells.map((cell) => lineOf(cell).replaceAll('|', '\\|'))));
  if (!headed) return [...titles, { kind: 'table', head: [], rows: lines }];
  const rule = `|${rows[0]?.map(() => '-').join('|')}|`;
  return [...titles, { kind: 'table', head: [lines[0] ?? '', rule], rows: lines.slice(1) }];
}

const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** The cells of each row that has any text; rows of tables inside are not this table's. */
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
  return rows.filter((cells) => cells.some((cell) => cell.text > 0));
}

function isCell(node: Element | string): node is Element {
  return typeof node !== 'string' && (node.name === 'td' || node.name === 'th');
}

/** True for one column, or a cell that holds several paragraphs or long passages of other shapes. */
function isArranging(rows: Element[][]): boolean {
  if (rows.every((cells) => cells.length < 2)) return true;
  return rows.flat().some((cell) => {
    const names = elements(cell)
      .map(({ name }) => name)
      .toArray();
    return (
      names.filter((name) => name === 'p').length > 2 || (cell.text > 200 && names.some((name) => ARRANGED.has(name)))
    );
  });
}
