/** Maps the columns of a CSV file to fields of leads. */
import { AppError } from '../../../errors.ts';
import { LeadFields } from '../lead-fields.ts';

/** A column of the file, and the lead field to which it is mapped. A column without a field is ignored. */
export interface ImportColumn {
  column: string;
  field?: string;
}

/** The caller's mapping from column names to fields. Null means that a column is ignored. */
export type ColumnMapping = Record<string, string | null>;

/** Common column names that differ from the name of their field. */
const COLUMN_ALIASES = new Map([
  ['name', 'fullname'],
  ['telephone', 'phone'],
  ['mobile', 'phone'],
  ['zip', 'zipcode'],
]);
const FREE_FIELD = /^(attributes|properties)\.(?!__proto__$)[^.$\0][^.\0]*$/;
/** Maximum number of columns in a file. */
const MAX_COLUMNS = 200;

const foldName = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
const FIELDS_BY_NAME = new Map(Object.keys(LeadFields).map((field) => [foldName(field), field]));

const isField = (field: string): boolean => Object.hasOwn(LeadFields, field) || FREE_FIELD.test(field);

/** Returns the field that a column name denotes; undefined if there is none. */
const fieldNamed = (name: string): string | undefined => {
  if (FREE_FIELD.test(name)) return name;
  const folded = foldName(name);
  return FIELDS_BY_NAME.get(COLUMN_ALIASES.get(folded) ?? folded);
};

const rejectFile = (message: string): never => {
  throw new AppError(422, 'INVALID', message);
};

const firstDuplicate = (names: string[]): string | undefined => {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
};

const checkMapping = (mapping: ColumnMapping, names: string[]): void => {
  for (const [column, field] of Object.entries(mapping)) {
    if (!names.includes(column)) rejectFile(`mapping: the file has no column named "${column}"`);
    if (field !== null && !isField(field)) rejectFile(`mapping: ${field} is not a field of leads`);
  }
};

const checkColumnCount = ({ length }: string[]): void => {
  if (length > MAX_COLUMNS)
    rejectFile(
      `The file has ${length} columns, but at most ${MAX_COLUMNS} are allowed; remove the columns you do not need`,
    );
};

/**
 * Returns the columns of a header with their fields. Throws 422 for too many columns, an invalid mapping, two columns
 * with the same field, or no column with a field.
 */
export const parseHeader = (header: string[], mapping: ColumnMapping = {}): ImportColumn[] => {
  checkColumnCount(header);
  const names = header.map((name) => name.trim());
  checkMapping(mapping, names);
  const columns = names.map((column) => {
    const field = Object.hasOwn(mapping, column) ? (mapping[column] ?? undefined) : fieldNamed(column);
    return field === undefined ? { column } : { column, field };
  });
  const fields = columns.flatMap(({ field }) => field ?? []);
  const duplicate = firstDuplicate(fields);
  if (duplicate) rejectFile(`Two columns map to the field ${duplicate}; choose one with \`mapping\``);
  if (!fields.length) rejectFile('No column name is a field of leads; map columns to fields with `mapping`');
  return columns;
};

const SEPARATORS = [';', ',', '\t', '|'];

/** Returns the separator that occurs most often in the header. */
export const detectSeparator = (header: string): string => {
  const unquoted = header.replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => unquoted.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
};
