/** Reads the changes log for clients: the events of a project in commit order. */
import { AppError } from '../../errors.ts';
import { Change, GAP_PROJECT } from '../../models/change.ts';
import { isTooOld, laterCursor, OLDEST_CURSOR, refreshCursor } from './cursors.ts';

/**
 * The changes to read: all of a project, or only those of one visitor's conversations in the form that the visitor may
 * see.
 */
export interface ChangesScope {
  project: string;
  visitor?: string;
}

/** A change on the wire. */
export interface PublicChange {
  cursor: string;
  id: string;
  event: string;
  createdAt: Date;
  payload: unknown;
}

/**
 * Error 410: changes after the cursor may be missing from the log. The client must list its records again and continue
 * from `next`.
 */
export class GapError extends AppError {
  readonly next: string;

  constructor(next: string) {
    super(410, 'GAP', 'Changes after this cursor may be missing; list the records again and continue from `next`');
    this.next = next;
    this.with({ body: { next } });
  }
}

interface LogEntry {
  _id: string;
  position: string;
  event: string;
  createdAt: Date;
  payload?: unknown;
  visitor_payload?: unknown;
}

/** Converts an entry of the log to a change on the wire. */
export const publicChange = (
  { _id, position, event, createdAt, payload, visitor_payload }: LogEntry,
  { visitor }: ChangesScope,
): PublicChange => ({
  cursor: position,
  id: _id,
  event,
  createdAt,
  payload: visitor === undefined ? payload : visitor_payload,
});

const scopeFilter = ({ project, visitor }: ChangesScope) => ({
  id_project: project,
  ...(visitor === undefined ? {} : { visitor, visitor_payload: { $exists: true } }),
});

/** Returns the position of the last change after a cursor; null if there is none. */
const lastPosition = async (scope: ChangesScope, after = OLDEST_CURSOR): Promise<string | null> => {
  const found = await Change.findOne({ ...scopeFilter(scope), position: { $gt: after } }, { _id: 0, position: 1 })
    .sort({ position: -1 })
    .lean();
  return found?.position ?? null;
};

/** Returns the position of the last gap (an entry before which changes may be missing) after a cursor, or null. */
const gapAfter = (cursor: string): Promise<string | null> => lastPosition({ project: GAP_PROJECT }, cursor);

/** Returns a cursor at the end of the log: every later change comes after it. */
export const headCursor = async (scope: ChangesScope): Promise<string> => {
  const [last, gap] = await Promise.all([lastPosition(scope), gapAfter(OLDEST_CURSOR)]);
  return refreshCursor(laterCursor(last ?? OLDEST_CURSOR, gap ?? OLDEST_CURSOR));
};

/** A page of changes, oldest first. */
export interface ChangesPage {
  changes: PublicChange[];
  /** The cursor of the next page. */
  next: string;
}

/** Reads at most `limit` changes after the position `after` and up to `upTo`, oldest first. */
export const readRange = async (
  scope: ChangesScope,
  { after, upTo, limit }: { after: string; upTo?: string; limit: number },
): Promise<PublicChange[]> => {
  const found = await Change.find({ ...scopeFilter(scope), position: { $gt: after, ...(upTo && { $lte: upTo }) } })
    .sort({ position: 1 })
    .limit(limit)
    .lean<LogEntry[]>();
  return found.map((entry) => publicChange(entry, scope));
};

/**
 * Reads at most `limit` changes after a cursor. With the cursor `0`, reading begins at the oldest change after the
 * latest gap. Throws `GapError` if the cursor is older than the log or lies before a gap.
 */
export const readChanges = async (
  scope: ChangesScope,
  { after, limit }: { after: string; limit: number },
): Promise<ChangesPage> => {
  if (isTooOld(after)) throw new GapError(await headCursor(scope));
  const found = await readRange(scope, { after, limit });
  // Gaps are read after the changes: a gap is written to the log before the changes that follow it, so no gap is
  // missed.
  const gap = await gapAfter(after);
  if (gap !== null && after !== OLDEST_CURSOR) throw new GapError(gap);
  const start = gap ?? after;
  const changes = found.filter(({ cursor }) => cursor > start);
  return { changes, next: changes.at(-1)?.cursor ?? refreshCursor(start) };
};
