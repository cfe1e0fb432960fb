/** The changes log as clients read it: what happened in a project, in the order of commit (decision 54). */
import { AppError } from '../../errors.ts';
import { Change, EVERYBODY } from '../../models/change.ts';
import { isTooOld, OLDEST, refreshed } from './cursors.ts';

/** Whose changes are read: a project's, or only those of a visitor's own conversations, as that visitor may see them (decision 57). */
export interface Scope {
  project: string;
  visitor?: string;
}

/** A change on the wire. */
export interface Shown {
  cursor: string;
  id: string;
  event: string;
  createdAt: Date;
  payload: unknown;
}

/** 410: changes after a cursor may be missing in the log. The client lists again and goes on from `next`. */
export class GapError extends AppError {
  readonly next: string;

  constructor(next: string) {
    super(410, 'GAP', 'Changes after this cursor may be missing; list again and go on from next');
    this.next = next;
    this.with({ body: { next } });
  }
}

interface Stored {
  _id: string;
  position: string;
  event: string;
  createdAt: Date;
  payload?: unknown;
  visitor_payload?: unknown;
}

/** An entry of the log as its reader sees it. */
export const shown = ({ _id, position, event, createdAt, ...of }: Stored, { visitor }: Scope): Shown => ({
  cursor: position,
  id: _id,
  event,
  createdAt,
  payload: visitor === undefined ? of.payload : of.visitor_payload,
});

const filterOf = ({ project, visitor }: Scope) => ({
  id_project: project,
  ...(visitor === undefined ? {} : { visitor, visitor_payload: { $exists: true } }),
});

const lastOf = async (scope: Scope, after = OLDEST): Promise<string> => {
  const found = await Change.findOne({ ...filterOf(scope), position: { $gt: after } }, { _id: 0, position: 1 })
    .sort({ position: -1 })
    .lean();
  return found?.position ?? OLDEST;
};

const gapAfter = (cursor: string): Promise<string> => lastOf({ project: EVERYBODY }, cursor);

/** The cursor of now: everything that happens from here on lies behind it. */
export const present = async (scope: Scope): Promise<string> => {
  const [own, gap] = await Promise.all([lastOf(scope), gapAfter(OLDEST)]);
  return refreshed(own > gap ? own : gap);
};

/** What happened after a cursor, the oldest first. */
export interface Page {
  changes: Shown[];
  /** The cursor to go on from. */
  next: string;
}

/** Changes behind one place and up to another, the oldest first. */
export const between = async (
  scope: Scope,
  { after, upTo, limit }: { after: string; upTo?: string; limit: number },
): Promise<Shown[]> => {
  const found = await Change.find({ ...filterOf(scope), position: { $gt: after, ...(upTo && { $lte: upTo }) } })
    .sort({ position: 1 })
    .limit(limit)
    .lean<Stored[]>();
  return found.map((entry) => shown(entry, scope));
};

/**
 * At most `limit` changes after a cursor. From `0` on: the oldest that are kept and that no gap follows.
 * Throws `GapError` for a cursor that is older than the log, or lies before a gap.
 */
export const page = async (scope: Scope, { after, limit }: { after: string; limit: number }): Promise<Page> => {
  if (isTooOld(after)) throw new GapError(await present(scope));
  const found = await between(scope, { after, limit });
  // Looked for afterwards: a gap is in the log before whatever follows it.
  const gap = await gapAfter(after);
  if (gap !== OLDEST && after !== OLDEST) throw new GapError(gap);
  const changes = found.filter(({ cursor }) => cursor > gap);
  return { changes, next: changes.at(-1)?.cursor ?? refreshed(after > gap ? after : gap) };
};
