/**
 * Reports the progress of imports. Progress is always counted from the statuses of the contents: at most once a second
 * while workers index them, and by a sweep if no worker does.
 */
import { readMany, readOne } from '../../database/raw-read.ts';
import { notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { CONTENT_STATUS, KbContent } from '../../models/kb-content.ts';
import { KbImport, KbImportView } from '../../models/kb-import.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { isId, projectionOf } from '../../wire/view.ts';

const REPORT_INTERVAL_MS = 1000;
const MAX_REASONS = 20;
/**
 * If `markWritten` is not called within this time, the process that adds the contents is assumed to be dead, and the
 * import can finish without further contents.
 */
const MAX_WRITING_MS = 10 * 60_000;
const IMPORT_FIELDS = projectionOf(KbImportView);

/** How the contents were added, and where. */
interface ImportOrigin {
  id_project: string;
  namespace: string;
  type: string;
  source?: string;
}

/**
 * Records an import of `total` contents and returns its id, which the caller stores as the `import_id` of each content.
 * The caller then calls `markWritten`.
 */
export const start = async (origin: ImportOrigin, total: number): Promise<string> => {
  const [created] = await KbImport.create([{ ...origin, total, queued: total, isWriting: true, isOpen: true }]);
  return String(created?._id);
};

/** Records that all contents of the import are stored, so that the import can finish. */
export const markWritten = async (id_project: string, id: string): Promise<void> => {
  await KbImport.updateOne({ _id: id, id_project }, { $unset: { isWriting: 1 } });
};

type StatusName = keyof typeof CONTENT_STATUS;
type StatusCounts = Record<StatusName | 'total', number>;

const countContents = async (id_project: string, import_id: string): Promise<StatusCounts> => {
  const groups = await KbContent.aggregate<{ _id: number; count: number }>([
    { $match: { id_project, import_id } },
    { $group: { _id: '$status', count: { $sum: 1 } } },
  ]);
  const byStatus = new Map(groups.map(({ _id, count }) => [_id, count]));
  const names = Object.keys(CONTENT_STATUS) as StatusName[];
  const counts = Object.fromEntries(names.map((name) => [name, byStatus.get(CONTENT_STATUS[name]) ?? 0]));
  return { ...counts, total: groups.reduce((sum, { count }) => sum + count, 0) } as StatusCounts;
};

interface OpenImport extends StatusCounts {
  _id: unknown;
  id_project: string;
  countedAt: Date;
  isWriting?: boolean | null;
  createdAt: Date;
}

const isWritten = ({ isWriting, createdAt }: OpenImport): boolean =>
  !isWriting || createdAt.getTime() < currentTimeMs() - MAX_WRITING_MS;

const haveChanged = (open: OpenImport, counts: StatusCounts): boolean =>
  (Object.keys(counts) as (keyof StatusCounts)[]).some((name) => open[name] !== counts[name]);

/**
 * Counts the contents of an import, and emits the progress if the counts have changed. If another process has stored
 * counts in the meantime, these may be older than the counts of this process, so this process counts again.
 */
const report = async (open: OpenImport): Promise<void> => {
  const { id_project, countedAt } = open;
  const _id = String(open._id);
  const counts = await countContents(id_project, _id);
  const isFinished = isWritten(open) && counts.indexed + counts.failed === counts.total;
  const now = new Date(Math.max(currentTimeMs(), countedAt.getTime() + 1));
  const update = isFinished
    ? { $set: { ...counts, countedAt: now, finished_at: now }, $unset: { isOpen: 1, isWriting: 1 } }
    : { $set: { ...counts, countedAt: now } };
  const filter = { _id, id_project, countedAt, isOpen: true };
  const options = isFinished || haveChanged(open, counts) ? emits('kb.import.progress') : {};
  const { matchedCount } = await KbImport.updateOne(filter, update, options);
  if (matchedCount) return;
  const current = await KbImport.findOne({ _id, id_project, isOpen: true }, OPEN_FIELDS).lean();
  if (current) await report(current);
};

const COUNT_FIELDS = { total: 1, queued: 1, fetching: 1, indexing: 1, indexed: 1, failed: 1 } as const;
const OPEN_FIELDS = { id_project: 1, countedAt: 1, isWriting: 1, createdAt: 1, ...COUNT_FIELDS } as const;

/** Reports the progress of the project's unfinished imports that were last counted at least `minAgeMs` ago. */
export const reportProgress = async (id_project: string, minAgeMs = REPORT_INTERVAL_MS): Promise<void> => {
  const due = { isOpen: true, id_project, countedAt: { $lte: new Date(currentTimeMs() - minAgeMs) } };
  for (const open of await KbImport.find(due, OPEN_FIELDS).lean()) await report(open);
};

/** Reports the progress of all unfinished imports that were not counted in the last second. Called by a sweep. */
export const reportAll = async (): Promise<void> => {
  const due = { isOpen: true, countedAt: { $lte: new Date(currentTimeMs() - REPORT_INTERVAL_MS) } };
  for (const open of await KbImport.find(due, OPEN_FIELDS, { anyProject: true }).lean()) await report(open);
};

/** Lists the imports of a namespace, newest first. */
export const list = (id_project: string, namespace: string, { skip, limit }: { skip: number; limit: number }) =>
  readMany(
    KbImport,
    { id_project, namespace },
    { fields: IMPORT_FIELDS, sort: { createdAt: -1, _id: -1 }, skip, limit },
  );

interface ReasonGroup {
  _id: { status: number; code: string };
  count: number;
  hint?: string | null;
  example: string;
}

/** Counts the failed and waiting contents of an import by reason, the most frequent reason first. */
const readReasons = async (id_project: string, import_id: string) => {
  const unfinished = { status: { $in: [CONTENT_STATUS.queued, CONTENT_STATUS.failed] } };
  const reason = { $ifNull: ['$waiting', '$error'] };
  const groups = await KbContent.aggregate<ReasonGroup>([
    { $match: { id_project, import_id, ...unfinished } },
    { $set: { reason } },
    { $match: { 'reason.code': { $exists: true } } },
    {
      $group: {
        _id: { status: '$status', code: '$reason.code' },
        count: { $sum: 1 },
        hint: { $first: '$reason.hint' },
        example: { $first: '$source' },
      },
    },
    { $sort: { count: -1, _id: 1 } },
    { $limit: MAX_REASONS },
  ]);
  return groups.map(({ _id, ...group }) => ({ ..._id, ...group }));
};

/**
 * Returns an import, with the reasons why contents failed or wait. The contents of an unfinished import are counted
 * again. Throws 404 if the project has no such import.
 */
export const find = async (id_project: string, id: string) => {
  const found = isId(id) ? await readOne(KbImport, { _id: id, id_project }, IMPORT_FIELDS) : null;
  if (!found) throw notFound(`Import not found with id ${id} for project ${id_project}`);
  const [counts, reasons] = await Promise.all([
    found.finished_at ? {} : countContents(id_project, id),
    readReasons(id_project, id),
  ]);
  return { ...found, ...counts, reasons };
};
