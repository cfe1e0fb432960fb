/** A row of a file → what it says of a lead, or what is wrong with it. Pure. */
import { z } from 'zod';
import { LEAD } from '../../models/lead.ts';
import { said, tagsOf } from './cells.ts';
import { LeadFields } from './fields.ts';
import type { Column } from './import-columns.ts';

/** What a row says; what its empty cells would say is absent. */
export interface Told {
  lead_id?: string;
  email?: string;
  fullname?: string;
  status?: number;
  tags?: string[];
  attributes?: Record<string, unknown>;
  properties?: Record<string, unknown>;
  [text: string]: unknown;
}

/** Why a row is left out. */
export interface Fault {
  column?: string;
  reason: string;
  value?: string;
}

const SHOWN = 100;
const MOST_OF_A_KEY = 4000;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** One value of a free object. */
const Free = z.string().max(MOST_OF_A_KEY);
const KEPT = new Set<number>([LEAD.temporary, LEAD.normal]);

const parsed = (parse: (cell: string) => unknown, cell: string): unknown => {
  try {
    return parse(cell);
  } catch {
    return undefined; // no JSON: refused by the field itself
  }
};

/** From the text of a cell to what the field takes. */
const READERS: Record<string, (cell: string) => unknown> = {
  tags: (cell) => parsed(tagsOf, cell),
  status: (cell) => (KEPT.has(Number(cell)) ? Number(cell) : undefined),
  attributes: (cell) => parsed(JSON.parse, cell),
  properties: (cell) => parsed(JSON.parse, cell),
  email: (cell) => (EMAIL.test(cell.trim()) ? cell.trim() : undefined),
};

const REASONS: Record<string, string> = {
  tags: 'Neither words with commas between nor a JSON list of texts',
  status: `Neither ${[...KEPT].join(' nor ')}`,
  attributes: 'No JSON object',
  properties: 'No JSON object',
  email: 'No e-mail address',
};

const readCell = (field: string, cell: string): { value: unknown } | { reason: string } => {
  const value = field in READERS ? READERS[field]?.(cell) : cell;
  if (value === undefined) return { reason: REASONS[field] as string };
  const { success, data, error } = (LeadFields[field as keyof typeof LeadFields] ?? Free).safeParse(value);
  return success ? { value: data } : { reason: error.issues[0]?.message ?? 'Not a value of this field' };
};

/** A key of a free object is laid over what other columns say of it. */
const lay = (told: Told, field: string, value: unknown): void => {
  const [name = '', key] = field.split('.', 2);
  if (key !== undefined) told[name] = { ...(told[name] as object), [key]: value };
  else told[name] = name === 'attributes' || name === 'properties' ? { ...told[name], ...(value as object) } : value;
};

const lengthFault = (columns: Column[], cells: string[]): Fault | undefined => {
  const filled = cells.findLastIndex((cell) => cell !== '') + 1;
  if (cells.length === columns.length || (cells.length > columns.length && filled <= columns.length)) return undefined;
  return { reason: `Has ${cells.length} cells; the header has ${columns.length}` };
};

/** Read a row; the first thing that is wrong with it is told. */
export const readRow = (columns: Column[], cells: string[]): { told: Told } | { fault: Fault } => {
  const fault = lengthFault(columns, cells);
  if (fault) return { fault };
  const told: Told = {};
  for (const [at, { column, field }] of columns.entries()) {
    const cell = said(cells[at] as string);
    if (field === undefined || cell === '') continue;
    const read = readCell(field, cell);
    if ('reason' in read) return { fault: { column, reason: read.reason, value: cell.slice(0, SHOWN) } };
    lay(told, field, read.value);
  }
  return { told };
};
