/** A row of a file → what it says of a lead, or what is wrong with it. Pure. */
import { z } from 'zod';
import { LEAD } from '../../models/lead.ts';
import { said, tagsOf } from './cells.ts';
import { LeadFields } from './fields.ts';
import { predicateOf } from '../../sentences.ts';
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
const READERS = new Map<string, { read: (cell: string) => unknown; reason: string }>([
  [
    'tags',
    { read: (cell) => parsed(tagsOf, cell), reason: 'Neither words with commas between nor a JSON list of texts' },
  ],
  [
    'status',
    {
      read: (cell) => (KEPT.has(Number(cell)) ? Number(cell) : undefined),
      reason: `Neither ${[...KEPT].join(' nor ')}`,
    },
  ],
  ['attributes', { read: (cell) => parsed(JSON.parse, cell), reason: 'No JSON object' }],
  ['properties', { read: (cell) => parsed(JSON.parse, cell), reason: 'No JSON object' }],
  ['email', { read: (cell) => (EMAIL.test(cell.trim()) ? cell.trim() : undefined), reason: 'No e-mail address' }],
]);

const schemaOf = (field: string): z.ZodType =>
  Object.hasOwn(LeadFields, field) ? LeadFields[field as keyof typeof LeadFields] : Free;

const readCell = (field: string, cell: string): { value: unknown } | { reason: string } => {
  const reader = READERS.get(field);
  const value = reader ? reader.read(cell) : cell;
  if (reader && value === undefined) return { reason: reader.reason };
  const { success, data, error } = schemaOf(field).safeParse(value, { error: predicateOf });
  return success ? { value: data } : { reason: error.issues[0]?.message ?? 'Not a value of this field' };
};

/** A key of a free object is laid over what other columns say of it. */
const lay = (told: Told, field: string, value: unknown): void => {
  const [name = '', key] = field.split('.', 2);
  const isFree = name === 'attributes' || name === 'properties';
  if (!isFree) told[name] = value;
  else Object.assign((told[name] ??= {}), key === undefined ? value : { [key]: value });
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
