/** Leads as cells of CSV, there and back again: what comes out of one project goes into another one as it was. */
import type { StoredLead } from '../conversations/leads.ts';

/** A cell that a spreadsheet would run, behind any number of `'`. */
const GUARDED = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The writer puts a `'` before what looks like a formula; what looks like that already gets one more. */
const guarded = (value: unknown): unknown => (typeof value === 'string' && GUARDED.test(value) ? `'${value}` : value);

/** What a cell says, without the `'` that kept spreadsheets from running it. */
export const said = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

const isPlain = (tag: string): boolean => !tag.includes(',') && tag === tag.trim() && !tag.startsWith('[');

/** Tags with commas between, as people write them; as JSON where one of them would not survive that. */
const tagsCell = (tags: string[]): string => (tags.every(isPlain) ? tags.join(', ') : JSON.stringify(tags));

/** The tags of a cell, in either form. */
export const tagsOf = (cell: string): unknown => {
  if (cell.startsWith('[')) return JSON.parse(cell);
  const tags = cell.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))];
};

/** A lead as the row of an export. */
export const rowOf = (lead: StoredLead): Record<string, unknown> => {
  const cells = Object.entries(lead).map(([name, value]) => [name, guarded(value)]);
  return { ...Object.fromEntries(cells), tags: guarded(tagsCell(lead.tags)) };
};

/** The rows of many, one after the other. */
export async function* rowsOf(leads: AsyncIterable<StoredLead>): AsyncGenerator<Record<string, unknown>> {
  for await (const lead of leads) yield rowOf(lead);
}
