/** Files of leads on their way in: kept in the database until every row was read, by whichever worker. */
import { isUtf8 } from 'node:buffer';
import { newId } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { LeadImport, LeadImportView } from '../../models/lead-import.ts';
import { LeadImportFault, LeadImportFaultView } from '../../models/lead-import-fault.ts';
import { LeadImportPart } from '../../models/lead-import-part.ts';
import { makeOnce } from '../../mongo.ts';
import { enqueue } from '../../queue.ts';
import { countOf, readEach, readMany, readOne } from '../../read.ts';
import { fieldsOf, isId } from '../../view.ts';
import { readStretch } from './csv-stretch.ts';
import { columnsOf, type Mapping, separatorOf } from './import-columns.ts';

/** Bytes of a part, but of the last one. */
export const PART = 262_144;

const NEWLINE = 10;
/** Bytes in which the header has to end. */
const HEADER = 32_768;
/** What some programs begin a text with. */
export const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const UNFINISHED = { $in: ['queued', 'running'] as ('queued' | 'running')[] };
const BY_LINE = { line: 1, _id: 1 } as const;
/** Unfinished imports of one project. */
const MOST_AT_ONCE = 5;
const SHOWN_FAULTS = 20;

const FIELDS = fieldsOf(LeadImportView);
const FAULT_FIELDS = { ...fieldsOf(LeadImportFaultView), _id: 0 } as const;

/** Which import. */
export interface Which {
  id_project: string;
  _id: string;
}

/** A file that somebody sends. */
export interface SentFile {
  name?: string;
  size: number;
  pieces(): AsyncIterable<Buffer>;
}

/** How it is to be read. */
export interface Wish {
  mapping?: Mapping;
  dry_run?: boolean;
}

const beginOf = (start: Buffer): number => (start.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0);

/** The pieces of a file, each as long as a part. */
async function* partsOf({ pieces }: SentFile): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0);
  for await (const piece of pieces()) {
    held = Buffer.concat([held, piece]);
    for (; held.length >= PART; held = held.subarray(PART)) yield held.subarray(0, PART);
  }
  yield held;
}

const refuse = (message: string): never => {
  throw new AppError(422, 'INVALID', message);
};

/** What the header is in; the rest of the file is not looked at. */
const headerIn = (start: Buffer): Buffer => {
  const first = start.subarray(0, HEADER);
  if (start.length > HEADER && !first.includes(NEWLINE))
    refuse(`The first line of the file has more than ${HEADER} bytes; name the columns in fewer`);
  return first;
};

/** What the first line says of the others; 422 for what is no list of leads. */
const headOf = (part: Buffer, mapping?: Mapping) => {
  const start = headerIn(part);
  if (!isUtf8(start.subarray(0, start.lastIndexOf(NEWLINE) + 1 || start.length))) refuse('The file is not in UTF-8');
  const text = start.subarray(beginOf(start)).toString().trimStart();
  const separator = separatorOf(text.slice(0, text.indexOf('\n') + 1 || text.length));
  const { rows, torn } = readStretch(Buffer.from(text), separator, true);
  const [header] = rows;
  if (!header || torn[0] === 0) return refuse('The first line of the file does not name its columns');
  return { separator, columns: columnsOf(header.cells, mapping), position: beginOf(start) };
};

const refuseTooMany = async (id_project: string): Promise<void> => {
  const unfinished = await countOf(LeadImport, { id_project, status: UNFINISHED });
  if (unfinished >= MOST_AT_ONCE)
    throw new AppError(409, 'BUSY', `${MOST_AT_ONCE} imports of the project are not finished yet`);
};

/** Keep a file and have it read; 422 for what is no list of leads, 409 beside too many others. */
export const begin = async (id_project: string, file: SentFile, wish: Wish & { createdBy: string }) => {
  await refuseTooMany(id_project);
  const _id = newId();
  let head: ReturnType<typeof headOf> | undefined;
  let n = 0;
  for await (const data of partsOf(file)) {
    head ??= headOf(data, wish.mapping);
    await LeadImportPart.updateOne({ id_project, import: _id, n: n++ }, { $setOnInsert: { data } }, { upsert: true });
  }
  const { name, size } = file;
  const { dry_run = false, createdBy } = wish;
  await makeOnce(() => LeadImport.create([{ _id, id_project, name, size, ...head, dry_run, createdBy }]));
  await enqueue('bulk.import-leads', { id_project, import: _id });
  return find({ id_project, _id });
};

/** An import with the first of its faults, or 404. */
export const find = async ({ id_project, _id }: Which) => {
  const found = isId(_id) ? await readOne(LeadImport, { id_project, _id }, FIELDS) : null;
  if (!found) throw notFound('Import not found');
  const page = { fields: FAULT_FIELDS, sort: BY_LINE, limit: SHOWN_FAULTS };
  return { ...found, errors: await readMany(LeadImportFault, { id_project, import: _id }, page) };
};

/** The latest imports of the project. */
export const list = (id_project: string, page: { sort: Record<string, 1 | -1>; skip: number; limit: number }) =>
  readMany(LeadImport, { id_project }, { fields: FIELDS, ...page });

/** All faults of an import, by their lines. */
export const faults = ({ id_project, _id }: Which) =>
  readEach(LeadImportFault, { id_project, import: _id }, { fields: FAULT_FIELDS, sort: BY_LINE });

/** The imports of every project that are not finished. */
export const unfinished = () => LeadImport.find({ status: UNFINISHED }, { id_project: 1 }, { anyProject: true }).lean();
