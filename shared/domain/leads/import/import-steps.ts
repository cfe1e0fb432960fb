/**
 * Imports a CSV file of leads in steps. Each step stores the leads and faults of one chunk and the new position in one
 * transaction, so that an import continues after a crash and counts no row twice.
 */
import { isUtf8 } from 'node:buffer';
import type { ClientSession } from 'mongoose';
import { newId, newUuid } from '../../../context.ts';
import { inTransaction } from '../../../database/connection.ts';
import { readMany } from '../../../database/raw-read.ts';
import { LeadImport } from '../../../models/lead-import.ts';
import { LeadImportFault } from '../../../models/lead-import-fault.ts';
import { LeadImportPart } from '../../../models/lead-import-part.ts';
import { currentTime } from '../../../time/clock.ts';
import { type CsvChunk, firstLine, readChunk, readOpenRow } from './csv-chunk.ts';
import type { ImportColumn } from './import-columns.ts';
import { type RowFault, readRow } from './import-rows.ts';
import { BOM, type ImportKey, PART_BYTES } from './imports.ts';
import { type ImportRow, upsertLeads } from './upsert-leads.ts';

const CHUNK_BYTES = 65_536;
/** Maximum size of a row, even of several lines. A longer row makes the import fail. */
const MAX_ROW_BYTES = 1_048_576;
/** Maximum number of faults stored per import. Further faults are only counted. */
const MAX_FAULTS = 10_000;
/** Number of consecutive failed steps after which an import fails. */
const MAX_FAILURES = 5;
const NEWLINE = 10;
const BROKEN_QUOTE = 'has a quote that is not closed, or is closed too early';

const runningFilter = (key: ImportKey) => ({ ...key, status: { $in: ['queued', 'running'] } }) as const;

const readRunning = (key: ImportKey) => LeadImport.findOne(runningFilter(key)).lean();
type RunningImport = NonNullable<Awaited<ReturnType<typeof readRunning>>>;

/** A range of bytes of the file; it may begin and end within a stored part. */
interface Section {
  position: number;
  length: number;
}

const readBytes = async ({ _id, id_project }: RunningImport, { position, length }: Section): Promise<Buffer> => {
  const first = Math.floor(position / PART_BYTES);
  const index = { $gte: first, $lte: Math.floor((position + length - 1) / PART_BYTES) };
  const page = { fields: { data: 1 }, sort: { index: 1 } } as const;
  const parts = await readMany(LeadImportPart, { id_project, import: String(_id), index }, page);
  const bytes = Buffer.concat(parts.map(({ data }) => (data as unknown as { buffer: Uint8Array }).buffer));
  const from = position - first * PART_BYTES;
  return bytes.subarray(from, from + length);
};

/** Reads the whole lines of a section. Only the last line of the file may lack a newline. */
const readLines = async (record: RunningImport, section: Section) => {
  const bytes = await readBytes(record, section);
  const isEnd = section.position + bytes.length >= record.size;
  return { isEnd, lines: isEnd ? bytes : bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1) };
};

/**
 * Whether a row with an open quote at `position` is valid. Reads the file up to the end of the row. A row with a line
 * of more than `MAX_ROW_BYTES` bytes counts as valid: not its quote, but its size makes the import fail.
 */
const isOpenRowValid = async (record: RunningImport, position: number): Promise<boolean> => {
  while (position < record.size) {
    const { lines } = await readLines(record, { position, length: MAX_ROW_BYTES });
    const state = lines.length ? readOpenRow(lines, record.separator) : 'ended';
    if (state !== 'open') return state === 'ended';
    position += lines.length;
  }
  return false;
};

/**
 * Reads the next chunk of whole lines; if a row does not fit, reads a larger chunk. If the row does not fit there
 * either, because its quote is never closed or closed too early, the chunk is only the first line of the row. Returns
 * null if the text is not UTF-8 or a row is too long.
 */
const readNextChunk = async (record: RunningImport): Promise<CsvChunk | null> => {
  const { position, separator } = record;
  let lines: Buffer = Buffer.alloc(0);
  for (const length of [CHUNK_BYTES, MAX_ROW_BYTES]) {
    const section = await readLines(record, { position, length });
    ({ lines } = section);
    if (!isUtf8(lines)) return null;
    const chunk = readChunk(lines, separator, section.isEnd);
    if (chunk.bytes) return chunk;
  }
  if (!lines.length || (await isOpenRowValid(record, position + lines.length))) return null;
  return readChunk(firstLine(lines), separator, true);
};

interface SortedRows {
  validRows: ImportRow[];
  faults: (RowFault & { line: number })[];
}

/** Parses the rows of a chunk into valid rows and faults. The header and empty rows are skipped. */
const sortRows = (
  { rows, brokenLines }: CsvChunk,
  { columns, line: linesBefore, position }: RunningImport,
): SortedRows => {
  const lineOf = (line: number): number => linesBefore + line + 1;
  const sortedRows: SortedRows = {
    validRows: [],
    faults: brokenLines.map((line) => ({ line: lineOf(line), reason: BROKEN_QUOTE })),
  };
  for (const { line, cells } of position <= BOM.length ? rows.slice(1) : rows) {
    if (cells.every((cell) => cell === '')) continue;
    const result = readRow(columns as ImportColumn[], cells);
    if ('fault' in result) sortedRows.faults.push({ line: lineOf(line), ...result.fault });
    else
      sortedRows.validRows.push({
        line: lineOf(line),
        values: result.values,
        ids: { _id: newId(), lead_id: newUuid() },
      });
  }
  return sortedRows;
};

/** Advances the position of the import. Returns false if another worker has advanced it since the step began. */
const advancePosition = async (
  record: RunningImport,
  { bytes, lines }: CsvChunk,
  session: ClientSession,
): Promise<boolean> => {
  const { _id, id_project } = record;
  const position = record.position + bytes;
  const progress = position >= record.size ? { status: 'done', finishedAt: currentTime() } : { status: 'running' };
  const failures = 0;
  const unchanged = { ...runningFilter({ id_project, _id: String(_id) }), position: record.position };
  const update = { $set: { position, line: record.line + lines, failures, ...progress } } as object;
  return (await LeadImport.updateOne(unchanged, update, { session })).matchedCount === 1;
};

const addCounts = (record: RunningImport, counts: object, session: ClientSession) =>
  LeadImport.updateOne({ _id: record._id, id_project: record.id_project }, { $inc: counts }, { session });

const storeFaults = async (
  { _id, id_project, failed }: RunningImport,
  faults: SortedRows['faults'],
  session: ClientSession,
) => {
  const stored = faults.slice(0, Math.max(0, MAX_FAULTS - failed));
  const own = { id_project, import: String(_id) };
  if (stored.length)
    await LeadImportFault.insertMany(
      stored.map((fault) => ({ ...own, ...fault })),
      { session },
    );
};

const storeChunk = (record: RunningImport, chunk: CsvChunk, { validRows, faults }: SortedRows): Promise<void> =>
  inTransaction(async (session) => {
    if (!(await advancePosition(record, chunk, session))) return;
    const { id_project, createdBy, dry_run: dry } = record;
    const { faults: storeTimeFaults, ...counts } = await upsertLeads(
      { id_project, createdBy, dry },
      validRows,
      session,
    );
    const allFaults = [...faults, ...storeTimeFaults].toSorted((one, other) => one.line - other.line);
    await storeFaults(record, allFaults, session);
    await addCounts(record, { ...counts, rows: validRows.length + faults.length, failed: allFaults.length }, session);
  });

const failImport = async (key: ImportKey, code: string, message: string): Promise<void> => {
  const failed = { status: 'failed', error: { code, message }, finishedAt: currentTime() } as const;
  await LeadImport.updateOne(runningFilter(key), { $set: failed });
};

const deleteParts = async ({ id_project, _id }: ImportKey): Promise<void> => {
  await LeadImportPart.deleteMany({ id_project, import: _id });
};

/**
 * Records a failed step. After several failed steps in a row, the import fails, so that it does not delay other imports
 * of the project.
 */
export const recordFailure = async (key: ImportKey): Promise<void> => {
  const options = { returnDocument: 'after', projection: { failures: 1, line: 1, dry_run: 1 } } as const;
  const record = await LeadImport.findOneAndUpdate(runningFilter(key), { $inc: { failures: 1 } }, options).lean();
  if (!record || record.failures < MAX_FAILURES) return;
  const outcome = record.dry_run
    ? 'checked; the earlier rows were checked, and nothing was stored'
    : 'stored; the earlier rows were imported';
  await failImport(key, 'ROWS_NOT_STORED', `The rows after line ${record.line} could not be ${outcome}`);
  await deleteParts(key);
};

/**
 * Imports the next chunk. Returns false once the import is done or has failed. Changes nothing if another worker has
 * imported the chunk in the meantime.
 */
export const importNextChunk = async (key: ImportKey): Promise<boolean> => {
  const record = await readRunning(key);
  if (!record) return false;
  const chunk = await readNextChunk(record);
  if (chunk) await storeChunk(record, chunk, sortRows(chunk, record));
  else await failImport(key, 'FILE_NOT_TEXT', 'The file is not UTF-8, or has a row of more than 1 MiB');
  if (chunk && record.position + chunk.bytes < record.size) return true;
  await deleteParts(key);
  return false;
};
