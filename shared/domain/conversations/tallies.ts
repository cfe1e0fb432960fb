/** How many conversations a project has of each kind, kept beside them: counting a million takes a second, a sum no time. */
import { type ClientSession, Types } from 'mongoose';
import { Request } from '../../models/request.ts';
import { RequestTally } from '../../models/request-tally.ts';
import { atOneMoment, inTransaction } from '../../mongo.ts';
import { insert } from '../../write.ts';

/** What is counted of a conversation. */
interface Counted {
  id_project: string;
  status: number;
  hasBot?: boolean;
  preflight: boolean;
  draft?: boolean | null;
  department?: string | null;
}

type Kind = Omit<Counted, 'id_project'>;
type Sum = { _id: Kind; n: number };

/** Rows of one fold. */
const MOST = 10_000;

const kindOf = ({ status, hasBot = false, preflight, draft, department }: Counted): Kind => ({
  ...{ status, hasBot, preflight },
  draft: draft === true,
  department: department ?? undefined,
});

const nameOf = (kind: Kind): string =>
  [kind.status, kind.hasBot, kind.preflight, kind.draft === true, kind.department ?? ''].join(' ');

const note = (kept: Counted, n: number, session: ClientSession) => {
  const row = { _id: new Types.ObjectId(), id_project: kept.id_project, ...kindOf(kept), n, loose: true };
  return insert(RequestTally, row, { session });
};

/** Let the tallies follow what a conversation was and what it is now; null where it is not there. */
export const tally = async (before: Counted | null, after: Counted | null, session: ClientSession): Promise<void> => {
  if (before && after && nameOf(kindOf(before)) === nameOf(kindOf(after))) return;
  if (before) await note(before, -1, session);
  if (after) await note(after, 1, session);
};

/** What tallies can be asked for. */
interface Asked {
  id_project: string;
  status?: object;
  hasBot?: boolean;
  preflight?: boolean | object;
  draft?: boolean | object;
  department?: string;
}

const KIND = {
  status: '$status',
  hasBot: '$hasBot',
  preflight: '$preflight',
  draft: '$draft',
  department: '$department',
};

const KEPT = new Set(['id_project', 'status', 'hasBot', 'preflight', 'draft', 'department']);

/** True for a filter of conversations that the tallies know the answer to. */
export const know = (filter: object & { id_project: string }): filter is Asked =>
  Object.keys(filter).every((field) => KEPT.has(field));

/** The conversations that match, counted by status and whether a bot takes part. */
export const counts = async (filter: Asked): Promise<{ status: number; hasBot: boolean; n: number }[]> => {
  const by = { status: '$status', hasBot: '$hasBot' };
  const sums = await RequestTally.aggregate<{ _id: { status: number; hasBot: boolean }; n: number }>([
    { $match: filter },
    { $group: { _id: by, n: { $sum: '$n' } } },
  ]).option({ readConcern: { level: 'snapshot' } }); // not half before a fold and half after it
  return sums.map(({ _id, n }) => ({ ..._id, n }));
};

/** How many conversations match. */
export const count = async (filter: Asked): Promise<number> =>
  (await counts(filter)).reduce((sum, { n }) => sum + n, 0);

const sumsOf = (rows: (Counted & { n: number })[]): Sum[] => {
  const sums = new Map<string, Sum>();
  for (const { n, ...row } of rows) {
    const kind = kindOf(row);
    const sum = sums.get(nameOf(kind)) ?? { _id: kind, n: 0 };
    sums.set(nameOf(kind), { ...sum, n: sum.n + n });
  }
  return [...sums.values()].filter(({ n }) => n);
};

const foldSome = (id_project: string): Promise<number> =>
  inTransaction(async (session) => {
    const loose = await RequestTally.find({ id_project, loose: true }).limit(MOST).session(session).lean();
    if (!loose.length) return 0;
    await RequestTally.deleteMany({ id_project, _id: { $in: loose.map(({ _id }) => _id) } }, { session });
    const added = sumsOf(loose).map(({ _id: { department = null, ...kind }, n }) => ({
      updateOne: {
        filter: { id_project, ...kind, department, loose: null },
        update: { $inc: { n } },
        upsert: true,
      },
    }));
    if (added.length) await RequestTally.bulkWrite(added, { session });
    return loose.length;
  });

/** Add the loose rows of every project to its folded ones, of which there is one for each kind; the number of rows that are gone. */
export const fold = async (): Promise<number> => {
  const anyProject = { anyProject: true };
  const projects = await RequestTally.distinct('id_project', { loose: true }).setOptions(anyProject);
  let folded = 0;
  for (const id_project of projects)
    for (let done = MOST; done === MOST; folded += done) done = await foldSome(id_project);
  return folded;
};

const counted = (id_project: string, session: ClientSession): Promise<Sum[]> =>
  Request.aggregate<Sum>([
    { $match: { id_project } },
    { $group: { _id: { ...KIND, draft: { $eq: ['$draft', true] } }, n: { $sum: 1 } } },
  ]).session(session);

const tallied = (id_project: string, session: ClientSession): Promise<Sum[]> =>
  RequestTally.aggregate<Sum>([{ $match: { id_project } }, { $group: { _id: KIND, n: { $sum: '$n' } } }]).session(
    session,
  );

/** Count the project's conversations and add what its tallies lack; answers how many kinds were wrong. Conversations may go on meanwhile. */
export const recount = async (id_project: string): Promise<number> => {
  const [are, told] = await atOneMoment(async (session) => [
    await counted(id_project, session),
    await tallied(id_project, session),
  ]);
  const lacking = sumsOf([
    ...are.map(({ _id, n }) => ({ ..._id, id_project, n })),
    ...told.map(({ _id, n }) => ({ ..._id, id_project, n: -n })),
  ]);
  await RequestTally.insertMany(lacking.map(({ _id, n }) => ({ id_project, ..._id, n, loose: true })));
  return lacking.length;
};
