/** Whose load a conversation is: teammates hold claims, and never one more than they may (decision 18). */
import type { ClientSession } from 'mongoose';
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { REQUEST } from '../../models/request.ts';
import { isId } from '../../view.ts';
import { telling } from './load-news.ts';

const OPERATORS = ['agent', 'admin', 'owner'];

/** Teammates who can be given conversations at all, as a filter. */
export const operators = (id_project: string) => ({
  id_project,
  roleType: TEAM,
  status: 'active' as const,
  trashed: false,
  role: { $in: OPERATORS },
});

const counted = { $set: { number_assigned_requests: { $size: '$claims' } } };
const touched = { $set: { updatedAt: '$$NOW' } };

const withClaim = (id_project: string, request: string) => [
  {
    $set: {
      claims: { $concatArrays: [{ $ifNull: ['$claims', []] }, [{ request, at: '$$NOW' }]] },
      last_assigned_at: '$$NOW',
    },
  },
  counted,
  touched,
  telling(id_project),
];

const withoutClaims = (id_project: string, requests: string[]) => [
  {
    $set: {
      claims: {
        $filter: { input: { $ifNull: ['$claims', []] }, cond: { $not: { $in: ['$$this.request', requests] } } },
      },
    },
  },
  counted,
  touched,
  telling(id_project),
];

const own = { $ifNull: ['$max_assigned_chat', 0] };

/** The teammate's own limit, where it has one, else the project's. */
const mayTakeOneMore = (limit: number | null) => ({
  $expr: {
    $cond: [
      { $gt: [own, 0] },
      { $lt: ['$number_assigned_requests', own] },
      limit === null || { $lt: ['$number_assigned_requests', limit] },
    ],
  },
});

/** What is to be given to somebody, and among whom. */
export interface Wanted {
  id_project: string;
  /** The conversation's `_id`. */
  request: string;
  /** How many a teammate without a limit of its own may have; null for any number. */
  limit: number | null;
  /** Users who may take it. */
  among: string[];
  session?: ClientSession;
}

/** A teammate as it was when it was given something. */
export interface Claimant {
  id_user: string;
  open: number;
  last_assigned_at: Date | null;
}

/**
 * Give the conversation to the available teammate with the fewest open ones, the longest without one first; nothing when nobody may take
 * it. One atomic write: two conversations can never overfill a teammate. Where no transaction holds it, what comes to nothing after all is
 * given back by `release`, or by `sweepClaims` after a kill.
 */
export const claim = async ({ id_project, request, limit, among, session }: Wanted): Promise<Claimant | null> => {
  const free = {
    ...operators(id_project),
    user_available: true,
    'claims.request': { $ne: request },
    id_user: { $in: among },
    ...mayTakeOneMore(limit),
  };
  const teammate = await ProjectUser.findOneAndUpdate(free, withClaim(id_project, request), {
    sort: { number_assigned_requests: 1, last_assigned_at: 1, _id: 1 },
    projection: { id_user: 1, number_assigned_requests: 1, last_assigned_at: 1 },
    returnDocument: 'before',
    updatePipeline: true,
    timestamps: false,
    session,
  }).lean();
  if (!teammate) return null;
  const { id_user, number_assigned_requests: open, last_assigned_at } = teammate;
  return { id_user: String(id_user), open, last_assigned_at: last_assigned_at ?? null };
};

/** A conversation as its claims name it. */
interface Claimed {
  _id: unknown;
  id_project: string;
}

const held = ({ id_project }: Claimed, users: string[]) => ({ id_project, id_user: { $in: users.filter(isId) } });

/** Take these conversations from a teammate's load. */
export const drop = (holder: { id_project: string; id_user?: string }, requests: string[]) =>
  ProjectUser.updateOne(holder, withoutClaims(holder.id_project, requests), {
    updatePipeline: true,
    timestamps: false,
  });

/** Take the conversation from these users' load. */
export const release = async (request: Claimed, users: string[], session?: ClientSession): Promise<void> => {
  const holding = { ...held(request, users), 'claims.request': String(request._id) };
  if (!holding.id_user.$in.length) return;
  const left = withoutClaims(request.id_project, [String(request._id)]);
  await ProjectUser.updateMany(holding, left, { session, updatePipeline: true, timestamps: false });
};

const hold = async (request: Claimed, users: string[], session: ClientSession): Promise<void> => {
  const others = { ...held(request, users), 'claims.request': { $ne: String(request._id) } };
  if (!others.id_user.$in.length) return;
  const more = withClaim(request.id_project, String(request._id));
  await ProjectUser.updateMany(others, more, { session, updatePipeline: true, timestamps: false });
};

/** As much of a conversation as decides whose load it is. */
interface Carried {
  status: number;
  workingStatus?: string | null;
  participantsAgents: string[];
}

/** The users for whom a conversation counts: its teammates while it is open and not pending (decision 50). */
export const carriers = ({ status, workingStatus, participantsAgents }: Carried): string[] =>
  status < REQUEST.closed && workingStatus !== 'pending' ? participantsAgents : [];

/** Let the teammates' load follow what a conversation was and what it is now; `claimed` is who was given it meanwhile. */
export const account = async (
  before: (Carried & { claimed?: string }) | null,
  after: Carried & Claimed,
  session: ClientSession,
): Promise<void> => {
  const { claimed = '' } = before ?? {};
  const [had, has] = [[...(before ? carriers(before) : []), claimed], carriers(after)];
  const gone = had.filter((user) => !has.includes(user));
  const come = has.filter((user) => !had.includes(user));
  await release(after, gone, session);
  await hold(after, come, session);
};
