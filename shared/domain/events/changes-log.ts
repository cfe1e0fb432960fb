/** Reads the changes log for clients: the events of a project in the order of commit. */
import { AppError } from '../../errors.ts';
import { ALL_PROJECTS, Change } from '../../models/change.ts';
import { isTooOld, OLDEST_CURSOR, refreshCursor } from './cursors.ts';

/**
 * The changes to read: all of a project, or those of one visitor's conversations, in the form that the visitor may see.
 */
export interface Scope {
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
 * 410: changes after the cursor may be missing in the log. The client lists its records again and continues from
 * `next`.
 */
export class GapError extends AppError {
  readonly next: string;

  constructor(next: string) {
    super(410, 'GAP', 'Changes after this cursor may be missing; list again and go on from next');
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
  { visitor }: Scope,
): PublicChange => ({
  cursor: position,
  id: _id,
  event,
  createdAt,
  payload: visitor === undefined ? payload : visitor_payload,
});

const scopeFilter = ({ project, visitor }: Scope) => ({
  id_project: project,
  ...(visitor === undefined ? {} : { visitor, visitor_payload: { $exists: true } }),
});

const lastPosition = async (scope: Scope, after = OLDEST_CURSOR): Promise<string> => {
  const found = await Change.findOne({ ...scopeFilter(scope), position: { $gt: after } }, { _id: 0, position: 1 })
    .sort({ position: -1 })
    .lean();
  return found?.position ?? OLDEST_CURSOR;
};

const gapAfter = (cursor: string): Promise<string> => lastPosition({ project: ALL_PROJECTS }, cursor);

/** A cursor at the end of the log: every later change comes after it. */
export const headCursor = async (scope: Scope): Promise<string> => {
  const [own, gap] = await Promise.all([lastPosition(scope), gapAfter(OLDEST_CURSOR)]);
  return refreshCursor(own > gap ? own : gap);
};

/** A page of changes, oldest first. */
export interface ChangesPage {
  changes: PublicChange[];
  /** The cursor of the next page. */
  next: string;
}

/** Reads changes after one position and up to another, oldest first. */
export const readRange = async (
  scope: Scope,
  { after, upTo, limit }: { after: string; upTo?: string; limit: number },
): Promise<PublicChange[]> => {
  const found = await Change.find({ ...scopeFilter(scope), position: { $gt: after, ...(upTo && { $lte: upTo }) } })
    .sort({ position: 1 })
    .limit(limit)
    .lean<LogEntry[]>();
  return found.map((entry) => publicChange(entry, scope));
};

/**
 * Reads at most `limit` changes after a cursor. The cursor `0` stands for the oldest change after the latest gap.
 * Throws `GapError` if the cursor is older than the log or lies before a gap.
 */
export const readPage = async (
  scope: Scope,
  { after, limit }: { after: string; limit: number },
): Promise<ChangesPage> => {
  if (isTooOld(after)) throw new GapError(await headCursor(scope));
  const found = await readRange(scope, { after, limit });
  // The gap is read after the changes, because it is written to the log before the changes that follow it.
  const gap = await gapAfter(after);
  if (gap !== OLDEST_CURSOR && after !== OLDEST_CURSOR) throw new GapError(gap);
  const changes = found.filter(({ cursor }) => cursor > gap);
  return { changes, next: changes.at(-1)?.cursor ?? refreshCursor(after > gap ? after : gap) };
};
