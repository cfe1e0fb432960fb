/** Which column of a file says what of a lead. Pure. */
import { AppError } from '../../errors.ts';
import { LeadFields } from './fields.ts';

/** A column of the file under its name, and what it says; nothing where `field` is absent. */
export interface Column {
  column: string;
  field?: string;
}

/** Names of columns → fields, as a caller wants it; null: it says nothing. */
export type Mapping = Record<string, string | null>;

/** As spreadsheets and other systems name them. */
const OTHER_NAMES = new Map([
  ['name', 'fullname'],
  ['telephone', 'phone'],
  ['mobile', 'phone'],
  ['zip', 'zipcode'],
]);
const FREE = /^(attributes|properties)\.(?!__proto__$)[^.$\0][^.\0]*$/;
/** Columns of one file. */
const MOST_COLUMNS = 200;

const folded = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
const FIELDS = new Map(Object.keys(LeadFields).map((field) => [folded(field), field]));

const isField = (field: string): boolean => Object.hasOwn(LeadFields, field) || FREE.test(field);

/** What a column says by its name alone. */
const meaningOf = (name: string): string | undefined => {
  if (FREE.test(name)) return name;
  const short = folded(name);
  return FIELDS.get(OTHER_NAMES.get(short) ?? short);
};

const refuse = (message: string): never => {
  throw new AppError(422, 'INVALID', message);
};

const twice = (names: string[]): string | undefined => {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
};

const checkMapping = (mapping: Mapping, names: string[]): void => {
  for (const [column, field] of Object.entries(mapping)) {
    if (!names.includes(column)) refuse(`mapping: the file has no column ${column}`);
    if (field !== null && !isField(field)) refuse(`mapping: ${field} is no field of leads`);
  }
};

const checkWidth = ({ length }: string[]): void => {
  if (length > MOST_COLUMNS)
    refuse(`The file has ${length} columns, at most ${MOST_COLUMNS} are allowed; leave out those that are not needed`);
};

/** The columns of a header, mapped; 422 where there are too many, the mapping names what is not there, or nothing says anything. */
export const columnsOf = (header: string[], mapping: Mapping = {}): Column[] => {
  checkWidth(header);
  const names = header.map((name) => name.trim());
  checkMapping(mapping, names);
  const columns = names.map((column) => {
    const field = Object.hasOwn(mapping, column) ? (mapping[column] ?? undefined) : meaningOf(column);
    return field === undefined ? { column } : { column, field };
  });
  const fields = columns.flatMap(({ field }) => field ?? []);
  const doubled = twice(fields);
  if (doubled) refuse(`Two columns say ${doubled}; choose one by \`mapping\``);
  if (!fields.length) refuse('No column says anything of a lead; tell what they mean by `mapping`');
  return columns;
};

const SEPARATORS = [';', ',', '\t', '|'];

/** The separator of a file: of those there are, the one that its header has most of. */
export const separatorOf = (header: string): string => {
  const bare = header.replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => bare.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] as string;
};
