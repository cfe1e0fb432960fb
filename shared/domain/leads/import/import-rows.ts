/** Parses a row of a CSV file into the values of a lead or, if the row is invalid, a fault. */
import { z } from 'zod';
import { LEAD_STATUS } from '../../../models/lead.ts';
import { predicateOf } from '../../../wire/validation-messages.ts';
import { cellText, parseTags } from '../csv-cells.ts';
import { LeadFields } from '../lead-fields.ts';
import type { ImportColumn } from './import-columns.ts';

/** The values of a row by field. Empty cells are absent. */
export interface RowValues {
  lead_id?: string;
  email?: string;
  fullname?: string;
  status?: number;
  tags?: string[];
  attributes?: Record<string, unknown>;
  properties?: Record<string, unknown>;
  [text: string]: unknown;
}

/** The reason why a row is rejected. */
export interface RowFault {
  column?: string;
  reason: string;
  value?: string;
}

const MAX_REPORTED_LENGTH = 100;
const MAX_VALUE_LENGTH = 4000;
const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+$/;
/** The schema of one value of a free-form object (`attributes` or `properties`). */
const FreeValue = z.string().max(MAX_VALUE_LENGTH);
const IMPORTABLE_STATUSES = new Set<number>([LEAD_STATUS.temporary, LEAD_STATUS.normal]);

const parseOrUndefined = (parse: (cell: string) => unknown, cell: string): unknown => {
  try {
    return parse(cell);
  } catch {
    return undefined; // invalid JSON; the caller reports the field's `reason`
  }
};

/** Parsers of cells for fields that are not plain text, with the reason reported for an invalid cell. */
const CELL_READERS = new Map<string, { read: (cell: string) => unknown; reason: string }>([
  [
    'tags',
    {
      read: (cell) => parseOrUndefined(parseTags, cell),
      reason: 'must be tags separated by commas or a JSON array of strings',
    },
  ],
  [
    'status',
    {
      read: (cell) => (IMPORTABLE_STATUSES.has(Number(cell)) ? Number(cell) : undefined),
      reason: `must be ${[...IMPORTABLE_STATUSES].join(' or ')}`,
    },
  ],
  ['attributes', { read: (cell) => parseOrUndefined(JSON.parse, cell), reason: 'must be a JSON object' }],
  ['properties', { read: (cell) => parseOrUndefined(JSON.parse, cell), reason: 'must be a JSON object' }],
  [
    'email',
    {
      read: (cell) => (EMAIL_PATTERN.test(cell.trim()) ? cell.trim() : undefined),
      reason: 'must be an email address',
    },
  ],
]);

const schemaOf = (field: string): z.ZodType =>
  Object.hasOwn(LeadFields, field) ? LeadFields[field as keyof typeof LeadFields] : FreeValue;

const readCell = (field: string, cell: string): { value: unknown } | { reason: string } => {
  const reader = CELL_READERS.get(field);
  const value = reader ? reader.read(cell) : cell;
  if (reader && value === undefined) return { reason: reader.reason };
  const { success, data, error } = schemaOf(field).safeParse(value, { error: predicateOf });
  return success ? { value: data } : { reason: error.issues[0]?.message ?? 'must be a valid value for this field' };
};

/** Sets a value. Keys of a free-form object from several columns are merged. */
const setValue = (values: RowValues, field: string, value: unknown): void => {
  const [name = '', key] = field.split('.', 2);
  const isFree = name === 'attributes' || name === 'properties';
  if (!isFree) values[name] = value;
  else Object.assign((values[name] ??= {}), key === undefined ? value : { [key]: value });
};

const lengthFault = (columns: ImportColumn[], cells: string[]): RowFault | undefined => {
  const filledLength = cells.findLastIndex((cell) => cell !== '') + 1;
  if (cells.length === columns.length || (cells.length > columns.length && filledLength <= columns.length))
    return undefined;
  return { reason: `has ${cells.length} cells, but the header has ${columns.length}` };
};

/** Parses a row. Returns its values or its first fault. */
export const readRow = (columns: ImportColumn[], cells: string[]): { values: RowValues } | { fault: RowFault } => {
  const fault = lengthFault(columns, cells);
  if (fault) return { fault };
  const values: RowValues = {};
  for (const [index, { column, field }] of columns.entries()) {
    const cell = cellText(cells[index] as string);
    if (field === undefined || cell === '') continue;
    const result = readCell(field, cell);
    if ('reason' in result)
      return { fault: { column, reason: result.reason, value: cell.slice(0, MAX_REPORTED_LENGTH) } };
    setValue(values, field, result.value);
  }
  return { values };
};
