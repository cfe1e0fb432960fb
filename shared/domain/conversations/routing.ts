/** Who is given a conversation (contract b 2.4, decision 18): the least busy teammate who may take one more. */
import type { ClientSession, Types } from 'mongoose';
import { AppError } from '../../errors.ts';
import { Department } from '../../models/department.ts';
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { REQUEST, Request } from '../../models/request.ts';
import { readMany, readOne } from '../../read.ts';
import { isId } from '../../view.ts';

const OPERATORS = ['agent', 'admin', 'owner'];
const SETTLED_MS = 60_000;
const DEPARTMENT = { _id: 1, name: 1, routing: 1, default: 1, status: 1, id_project: 1 } as const;

const operators = (id_project: string) => ({
  id_project,
  roleType: TEAM,
  status: 'active' as const,
  trashed: false,
  role: { $in: OPERATORS },
});

/** The department that is asked for, else the project's default one; 422 for one that is not the project's. */
const departmentOf = async (id_project: string, wanted?: string) => {
  const which = wanted && wanted !== 'default' ? { _id: wanted } : { default: true };
  const department =
    wanted && which._id && !isId(wanted) ? null : await readOne(Department, { id_project, ...which }, DEPARTMENT);
  if (!department) throw new AppError(422, 'UNKNOWN_DEPARTMENT', 'department: the project has no such department');
  return { ...department, _id: String(department._id) };
};

/** Where a conversation goes and among whom is chosen. */
export const plan = async (id_project: string, wanted?: string) => {
  const [department, team] = await Promise.all([
    departmentOf(id_project, wanted),
    readMany(ProjectUser, operators(id_project), { fields: { _id: 1, id_user: 1, role: 1, user_available: 1 } }),
  ]);
  const agents = team.map(({ _id, id_user, role }) => ({ _id: String(_id), id_user: String(id_user), role }));
  return { department, agents, available: team.filter(({ user_available }) => user_available).length };
};

const counted = { $set: { number_assigned_requests: { $size: '$claims' } } };
const touched = { $set: { updatedAt: '$$NOW' } };

const withClaim = (request: string) => [
  {
    $set: {
      claims: { $concatArrays: [{ $ifNull: ['$claims', []] }, [{ request, at: '$$NOW' }]] },
      last_assigned_at: '$$NOW',
    },
  },
  counted,
  touched,
];

const withoutClaims = (requests: string[]) => [
  {
    $set: {
      claims: {
        $filter: { input: { $ifNull: ['$claims', []] }, cond: { $not: { $in: ['$$this.request', requests] } } },
      },
    },
  },
  counted,
  touched,
];

const mayTakeOneMore = {
  $expr: {
    $or: [
      { $lte: [{ $ifNull: ['$max_assigned_chat', -1] }, 0] },
      { $lt: ['$number_assigned_requests', '$max_assigned_chat'] },
    ],
  },
};

/**
 * Give the conversation to the available teammate with the fewest open ones, the longest without one first; tells the user's id,
 * or nothing when nobody may take it. One atomic write: two conversations can never overfill a teammate. It stands outside
 * any transaction, so what is not opened after all is given back by `release`, or by `sweepClaims` after a kill.
 */
export const claim = async (id_project: string, request: string): Promise<string | undefined> => {
  const free = {
    ...operators(id_project),
    user_available: true,
    'claims.request': { $ne: request },
    ...mayTakeOneMore,
  };
  const teammate = await ProjectUser.findOneAndUpdate(free, withClaim(request), {
    sort: { number_assigned_requests: 1, last_assigned_at: 1, _id: 1 },
    projection: { id_user: 1 },
    updatePipeline: true,
    timestamps: false,
  }).lean();
  return teammate ? String(teammate.id_user) : undefined;
};

/** A conversation as its claims name it. */
interface Claimed {
  _id: unknown;
  id_project: string;
}

/** Take the conversation from these users' load. */
export const release = async ({ _id, id_project }: Claimed, users: string[], session?: ClientSession) => {
  const [request, ids] = [String(_id), users.filter(isId)];
  if (!ids.length) return;
  const holding = { id_project, id_user: { $in: ids }, 'claims.request': request };
  await ProjectUser.updateMany(holding, withoutClaims([request]), { session, updatePipeline: true, timestamps: false });
};

const hold = async ({ _id, id_project }: Claimed, users: string[], session: ClientSession) => {
  const [request, ids] = [String(_id), users.filter(isId)];
  if (!ids.length) return;
  const others = { id_project, id_user: { $in: ids }, 'claims.request': { $ne: request } };
  await ProjectUser.updateMany(others, withClaim(request), { session, updatePipeline: true, timestamps: false });
};

/** As much of a conversation as decides whose load it is. */
interface Carried extends Claimed {
  status: number;
  workingStatus?: string | null;
  participantsAgents: string[];
}

/** The users for whom a conversation counts: its teammates while it is open and not pending (decision 50). */
const carriers = ({ status, workingStatus, participantsAgents }: Carried): string[] =>
  status < REQUEST.closed && workingStatus !== 'pending' ? participantsAgents : [];

/** Let the teammates' load follow what a conversation was and what it is now. */
export const account = async (before: Carried | null, after: Carried, session: ClientSession): Promise<void> => {
  const [had, has] = [before ? carriers(before) : [], carriers(after)];
  const gone = had.filter((user) => !has.includes(user));
  const come = has.filter((user) => !had.includes(user));
  await release(after, gone, session);
  await hold(after, come, session);
};

const CARRIED = { _id: 1, id_project: 1, status: 1, workingStatus: 1, participantsAgents: 1 } as const;

type Holder = { id_project: string; id_user?: Types.ObjectId | null; claims: { request: string; at: Date }[] };

/** Drop the claims that came to nothing, such as those of a process that was killed between claim and opening; their number. */
export const sweepClaims = async (settledMs = SETTLED_MS): Promise<number> => {
  const old = { $lt: new Date(Date.now() - settledMs) };
  const anyProject = { anyProject: true };
  const holders = ProjectUser.find({ 'claims.at': old }, { id_project: 1, id_user: 1, claims: 1 }, anyProject)
    .lean<Holder>()
    .cursor();
  let dropped = 0;
  for await (const { id_project, id_user, claims } of holders) {
    const aged = claims.filter(({ at }) => at < old.$lt).map(({ request }) => request);
    const requests = await readMany(Request, { id_project, _id: { $in: aged } }, { fields: CARRIED });
    const own = requests.filter((request) => carriers(request).includes(String(id_user)));
    const carried = new Set(own.map(({ _id }) => String(_id)));
    const idle = aged.filter((request) => !carried.has(request));
    if (!idle.length) continue;
    const holder = { id_project, id_user: id_user ?? undefined };
    await ProjectUser.updateOne(holder, withoutClaims(idle), { updatePipeline: true, timestamps: false });
    dropped += idle.length;
  }
  return dropped;
};
