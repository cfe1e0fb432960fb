/** Converts leads to CSV cells and back. An export of one project can be imported into another without loss. */
import type { StoredLead } from './leads.ts';

/** Matches one or more `'` before text that a spreadsheet would execute as a formula. */
const GUARDED_CELL = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * The CSV writer prefixes formulas with `'`. A value that already looks prefixed gets another `'`, so that an import
 * restores it exactly.
 */
const guardFormula = (value: unknown): unknown =>
  typeof value === 'string' && GUARDED_CELL.test(value) ? `'${value}` : value;

/** Returns the text of a cell without the `'` that keeps a spreadsheet from executing the text as a formula. */
export const cellText = (cell: string): string => (GUARDED_CELL.test(cell) ? cell.slice(1) : cell);

const isPlainTag = (tag: string): boolean => !tag.includes(',') && tag === tag.trim() && !tag.startsWith('[');

/** Joins tags with commas; returns JSON if a tag could not be restored from the joined text. */
const tagsToCell = (tags: string[]): string => (tags.every(isPlainTag) ? tags.join(', ') : JSON.stringify(tags));

/** Parses the tags in a cell, which are JSON or separated by commas. Throws a `SyntaxError` for invalid JSON. */
export const parseTags = (cell: string): unknown => {
  if (cell.startsWith('[')) return JSON.parse(cell);
  const tags = cell.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))];
};

/** Converts a lead to a row of the export. */
export const exportRow = (lead: StoredLead): Record<string, unknown> => {
  const cells = Object.entries(lead).map(([name, value]) => [name, guardFormula(value)]);
  return { ...Object.fromEntries(cells), tags: guardFormula(tagsToCell(lead.tags)) };
};

/** Converts a stream of leads to rows of the export. */
export async function* exportRows(leads: AsyncIterable<StoredLead>): AsyncGenerator<Record<string, unknown>> {
  for await (const lead of leads) yield exportRow(lead);
}
