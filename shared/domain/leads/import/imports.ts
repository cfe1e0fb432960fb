/** Imports of CSV files of leads: an uploaded file is stored in parts until a worker has imported every row. */
import { isUtf8 } from 'node:buffer';
import { newId } from '../../../context.ts';
import { insertIfAbsent } from '../../../database/unique-keys.ts';
import { countRecords, readEach, readMany, readOne } from '../../../database/raw-read.ts';
import { AppError, notFound } from '../../../errors.ts';
import { LeadImport, LeadImportView } from '../../../models/lead-import.ts';
import { LeadImportFault, LeadImportFaultView } from '../../../models/lead-import-fault.ts';
import { LeadImportPart } from '../../../models/lead-import-part.ts';
import { enqueue } from '../../../queue/queue.ts';
import { isId, projectionOf } from '../../../wire/view.ts';
import { readFirstRow } from './csv-chunk.ts';
import { detectSeparator, type ColumnMapping, parseHeader } from './import-columns.ts';

/** Size of a part of a file; the last part may be smaller. */
export const PART_BYTES = 262_144;

const NEWLINE = 10;
/** Maximum size of the header. */
const MAX_HEADER_BYTES = 32_768;
/** The byte order mark that some programs write at the start of a text file. */
export const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const UNFINISHED_STATUSES = { $in: ['queued', 'running'] as ('queued' | 'running')[] };
const LINE_ORDER = { line: 1, _id: 1 } as const;
/** Maximum number of unfinished imports per project. */
const MAX_UNFINISHED_IMPORTS = 5;
const MAX_LISTED_FAULTS = 20;

const IMPORT_FIELDS = projectionOf(LeadImportView);
const FAULT_FIELDS = { ...projectionOf(LeadImportFaultView), _id: 0 } as const;

/** Identifies an import. */
export interface ImportKey {
  id_project: string;
  _id: string;
}

export interface UploadedFile {
  name?: string;
  size: number;
  pieces(): AsyncIterable<Buffer>;
}

export interface ImportOptions {
  mapping?: ColumnMapping;
  dry_run?: boolean;
}

const contentStart = (start: Buffer): number => (start.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0);

/** Splits a file into parts of `PART_BYTES` bytes. */
async function* partsOf({ pieces }: UploadedFile): AsyncGenerator<Buffer> {
  let buffered = Buffer.alloc(0);
  for await (const piece of pieces()) {
    buffered = Buffer.concat([buffered, piece]);
    for (; buffered.length >= PART_BYTES; buffered = buffered.subarray(PART_BYTES))
      yield buffered.subarray(0, PART_BYTES);
  }
  yield buffered;
}

const rejectFile = (message: string): never => {
  throw new AppError(422, 'INVALID', message);
};

/** Returns the first bytes of the file, which contain the header. Throws 422 if the first line is too long. */
const headerBytes = (start: Buffer): Buffer => {
  const first = start.subarray(0, MAX_HEADER_BYTES);
  if (start.length > MAX_HEADER_BYTES && !first.includes(NEWLINE))
    rejectFile(`The first line of the file has more than ${MAX_HEADER_BYTES} bytes; shorten the column names`);
  return first;
};

/**
 * Parses the header. Returns the separator, the columns, and the position after a byte order mark. Throws 422 for an
 * invalid header.
 */
const parseHead = (part: Buffer, mapping?: ColumnMapping) => {
  const start = headerBytes(part);
  if (!isUtf8(start.subarray(0, start.lastIndexOf(NEWLINE) + 1 || start.length)))
    rejectFile('The file is not UTF-8; save it as UTF-8');
  const text = start.subarray(contentStart(start)).toString().trimStart();
  const separator = detectSeparator(text.slice(0, text.indexOf('\n') + 1 || text.length));
  const header = readFirstRow(Buffer.from(text), separator);
  if (!header) return rejectFile('The first line of the file must contain the column names');
  return { separator, columns: parseHeader(header, mapping), position: contentStart(start) };
};

const assertImportAllowed = async (id_project: string): Promise<void> => {
  const unfinished = await countRecords(LeadImport, { id_project, status: UNFINISHED_STATUSES });
  if (unfinished >= MAX_UNFINISHED_IMPORTS)
    throw new AppError(
      409,
      'TOO_MANY_IMPORTS',
      `${MAX_UNFINISHED_IMPORTS} imports of this project are unfinished; retry when one of them is done`,
    );
};

/**
 * Stores a file, enqueues its import and returns the import. Errors: 409 for too many unfinished imports, 422 for an
 * invalid header.
 */
export const start = async (id_project: string, file: UploadedFile, options: ImportOptions & { createdBy: string }) => {
  await assertImportAllowed(id_project);
  const _id = newId();
  let head: ReturnType<typeof parseHead> | undefined;
  let index = 0;
  for await (const data of partsOf(file)) {
    head ??= parseHead(data, options.mapping);
    await LeadImportPart.updateOne(
      { id_project, import: _id, index: index++ },
      { $setOnInsert: { data } },
      { upsert: true },
    );
  }
  const { name, size } = file;
  const { dry_run = false, createdBy } = options;
  await insertIfAbsent(() => LeadImport.create([{ _id, id_project, name, size, ...head, dry_run, createdBy }]));
  await enqueue('bulk.import-leads', { id_project, import: _id });
  return find({ id_project, _id });
};

/** Returns an import with its first faults; throws 404 if it does not exist. */
export const find = async ({ id_project, _id }: ImportKey) => {
  const found = isId(_id) ? await readOne(LeadImport, { id_project, _id }, IMPORT_FIELDS) : null;
  if (!found) throw notFound('Import not found');
  const page = { fields: FAULT_FIELDS, sort: LINE_ORDER, limit: MAX_LISTED_FAULTS };
  return { ...found, errors: await readMany(LeadImportFault, { id_project, import: _id }, page) };
};

/** Returns a page of the imports of a project. */
export const list = (id_project: string, page: { sort: Record<string, 1 | -1>; skip: number; limit: number }) =>
  readMany(LeadImport, { id_project }, { fields: IMPORT_FIELDS, ...page });

/** Streams all faults of an import in line order. */
export const listFaults = ({ id_project, _id }: ImportKey) =>
  readEach(LeadImportFault, { id_project, import: _id }, { fields: FAULT_FIELDS, sort: LINE_ORDER });

/** Finds the unfinished imports of all projects. */
export const findUnfinished = () =>
  LeadImport.find({ status: UNFINISHED_STATUSES }, { id_project: 1 }, { anyProject: true }).lean();
