/**
 * Reading a file of leads, a stretch at a time: what its rows say, which of them are broken and how far it has come are stored in one
 * transaction. So it goes on where a killed worker left it, and no row counts twice.
 */
import { isUtf8 } from 'node:buffer';
import type { ClientSession } from 'mongoose';
import { newId, newUuid } from '../../context.ts';
import { LeadImport } from '../../models/lead-import.ts';
import { LeadImportFault } from '../../models/lead-import-fault.ts';
import { LeadImportPart } from '../../models/lead-import-part.ts';
import { inTransaction } from '../../mongo.ts';
import { readMany } from '../../read.ts';
import { readStretch, type Stretch } from './csv-stretch.ts';
import type { Column } from './import-columns.ts';
import { type Fault, readRow } from './import-rows.ts';
import { BOM, PART, type Which } from './imports.ts';
import { upsert, type Wanted } from './upserts.ts';

const STRETCH = 65_536;
/** A row has to fit in. */
const LONGEST = 1_048_576;
/** Faults of one import that are kept; the others are counted. */
const MOST_FAULTS = 10_000;
/** Steps of an import that throw one after the other. */
const MOST_FAILURES = 5;
const NEWLINE = 10;
const TORN = 'A quote is not closed, or closed too early';

const running = (which: Which) => ({ ...which, status: { $in: ['queued', 'running'] } }) as const;

const read = (which: Which) => LeadImport.findOne(running(which)).lean();
type Running = NonNullable<Awaited<ReturnType<typeof read>>>;

const bytesAt = async ({ _id, id_project, position }: Running, length: number): Promise<Buffer> => {
  const first = Math.floor(position / PART);
  const n = { $gte: first, $lte: Math.floor((position + length - 1) / PART) };
  const page = { fields: { data: 1 }, sort: { n: 1 } } as const;
  const parts = await readMany(LeadImportPart, { id_project, import: String(_id), n }, page);
  const bytes = Buffer.concat(parts.map(({ data }) => (data as unknown as { buffer: Uint8Array }).buffer));
  const from = position - first * PART;
  return bytes.subarray(from, from + length);
};

/** The next rows: of whole lines, and of more of them where a row does not fit. Null for what is no text. */
const nextStretch = async (record: Running): Promise<Stretch | null> => {
  for (const length of [STRETCH, LONGEST]) {
    const bytes = await bytesAt(record, length);
    const last = record.position + bytes.length >= record.size;
    const lines = last ? bytes : bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
    if (!isUtf8(lines)) return null;
    const stretch = readStretch(lines, record.separator, last || length === LONGEST);
    if (stretch.bytes) return stretch;
  }
  return null;
};

interface Sorted {
  wanted: Wanted[];
  faults: (Fault & { line: number })[];
}

/** Rows that say something, and broken ones; neither the header nor a row without a word says anything of a lead. */
const sorted = ({ rows, torn }: Stretch, { columns, line: before, position }: Running): Sorted => {
  const lineOf = (line: number): number => before + line + 1;
  const found: Sorted = { wanted: [], faults: torn.map((line) => ({ line: lineOf(line), reason: TORN })) };
  for (const { line, cells } of position <= BOM.length ? rows.slice(1) : rows) {
    if (cells.every((cell) => cell === '')) continue;
    const result = readRow(columns as Column[], cells);
    if ('fault' in result) found.faults.push({ line: lineOf(line), ...result.fault });
    else found.wanted.push({ line: lineOf(line), told: result.told, ids: { _id: newId(), lead_id: newUuid() } });
  }
  return found;
};

/** Move the import on, if it still stands where this step began. */
const advance = async (record: Running, { bytes, lines }: Stretch, session: ClientSession): Promise<boolean> => {
  const { _id, id_project } = record;
  const position = record.position + bytes;
  const end = position >= record.size ? { status: 'done', finishedAt: new Date() } : { status: 'running' };
  const failures = 0;
  const here = { ...running({ id_project, _id: String(_id) }), position: record.position };
  const moved = { $set: { position, line: record.line + lines, failures, ...end } } as object;
  return (await LeadImport.updateOne(here, moved, { session })).matchedCount === 1;
};

const count = (record: Running, counts: object, session: ClientSession) =>
  LeadImport.updateOne({ _id: record._id, id_project: record.id_project }, { $inc: counts }, { session });

const note = async ({ _id, id_project, failed }: Running, faults: Sorted['faults'], session: ClientSession) => {
  const kept = faults.slice(0, Math.max(0, MOST_FAULTS - failed));
  const own = { id_project, import: String(_id) };
  if (kept.length)
    await LeadImportFault.insertMany(
      kept.map((fault) => ({ ...own, ...fault })),
      { session },
    );
};

const store = (record: Running, stretch: Stretch, { wanted, faults }: Sorted): Promise<void> =>
  inTransaction(async (session) => {
    if (!(await advance(record, stretch, session))) return;
    const { id_project, createdBy, dry_run: dry } = record;
    const { faults: late, ...counts } = await upsert({ id_project, createdBy, dry }, wanted, session);
    const all = [...faults, ...late].toSorted((one, other) => one.line - other.line);
    await note(record, all, session);
    await count(record, { ...counts, rows: wanted.length + faults.length, failed: all.length }, session);
  });

const end = async (which: Which, code: string, message: string): Promise<void> => {
  const failed = { status: 'failed', error: { code, message }, finishedAt: new Date() } as const;
  await LeadImport.updateOne(running(which), { $set: failed });
};

const dropParts = async ({ id_project, _id }: Which): Promise<void> => {
  await LeadImportPart.deleteMany({ id_project, import: _id });
};

/** Note that a step threw. After a few in a row the import ends, so that it does not keep others of its project waiting. */
export const noteFailure = async (which: Which): Promise<void> => {
  const counted = { returnDocument: 'after', projection: { failures: 1, line: 1 } } as const;
  const record = await LeadImport.findOneAndUpdate(running(which), { $inc: { failures: 1 } }, counted).lean();
  if (!record || record.failures < MOST_FAILURES) return;
  await end(which, 'UNREADABLE', `The rows after line ${record.line} could not be stored; those before are done`);
  await dropParts(which);
};

/** Read the next rows of an import; false once nothing is left of it. A step that another worker did meanwhile changes nothing. */
export const step = async (which: Which): Promise<boolean> => {
  const record = await read(which);
  if (!record) return false;
  const stretch = await nextStretch(record);
  if (stretch) await store(record, stretch, sorted(stretch, record));
  else await end(which, 'NO_TEXT', 'The file is not in UTF-8, or has a line of more than a megabyte');
  if (stretch && record.position + stretch.bytes < record.size) return true;
  await dropParts(which);
  return false;
};
