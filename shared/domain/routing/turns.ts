/**
 * Turns of the groups that share a department by percentages: the smooth weighted round robin. At each turn every group wins its weight,
 * the one that has most is chosen and pays what all of them won. So after any number of turns each had its share but for a fraction of one.
 */
import type { ClientSession } from 'mongoose';
import { RoutingTurns } from '../../models/routing-turns.ts';
import type { Share } from './plan.ts';

/** What each group is owed, by its id. */
export type Credits = Record<string, number>;

/** As much of a share as a turn needs. */
type Weighed = Pick<Share, 'id_group' | 'weight'>;

const total = (shares: Weighed[]): number => shares.reduce((sum, { weight }) => sum + weight, 0);

/** Whose turn it is, and the credits after it. */
export const nextTurn = (credits: Credits, shares: Weighed[]): { turn: string; credits: Credits } => {
  const won = shares.map(({ id_group, weight }) => ({ id_group, credit: (credits[id_group] ?? 0) + weight }));
  const first = won.reduce((most, each) => (each.credit > most.credit ? each : most));
  const after = Object.fromEntries(won.map(({ id_group, credit }) => [id_group, credit]));
  return {
    turn: first.id_group,
    credits: { ...credits, ...after, [first.id_group]: first.credit - total(shares) },
  };
};

/** The department whose groups take turns, and the shares that all of them have. */
interface Turned {
  id_project: string;
  department: string;
  shares: Weighed[];
}

const nameOf = (shares: Weighed[]): string => shares.map(({ id_group, weight }) => `${id_group}:${weight}`).join(' ');

const creditOf = ({ id_group }: Weighed) => `$credits.${id_group}`;

/** Credits won under other shares are worth nothing. */
const begun = (shares: Weighed[]) => {
  const name = nameOf(shares);
  const credits = { $cond: [{ $eq: ['$shares', name] }, { $ifNull: ['$credits', {}] }, {}] };
  return [{ $set: { shares: name, credits } }];
};

const added = (share: Weighed, amount: unknown) => ({ $add: [{ $ifNull: [creditOf(share), 0] }, amount] });

const withTurn = (shares: Weighed[]) => {
  const each = shares.map((share) => ({ id: share.id_group, credit: creditOf(share) }));
  const most = { $cond: [{ $gt: ['$$this.credit', '$$value.credit'] }, '$$this', '$$value'] };
  const first = { $reduce: { input: each, initialValue: each[0], in: most } };
  const paid = (share: Weighed) => ({ $cond: [{ $eq: ['$turn', share.id_group] }, total(shares), 0] });
  return [
    { $set: { credits: Object.fromEntries(shares.map((share) => [share.id_group, added(share, share.weight)])) } },
    { $set: { turn: { $getField: { field: 'id', input: first } } } },
    {
      $set: {
        credits: Object.fromEntries(
          shares.map((share) => [share.id_group, { $subtract: [creditOf(share), paid(share)] }]),
        ),
      },
    },
  ];
};

/** Take the next turn among some of the groups; whose it is. A lone group needs none: it would pay what it wins. */
export const takeTurn = async (
  { id_project, department, shares }: Turned,
  among: Weighed[],
  session?: ClientSession,
): Promise<string> => {
  const [only] = among;
  if (only && among.length === 1) return only.id_group;
  const options = { upsert: true, returnDocument: 'after', projection: { turn: 1 }, session } as const;
  const turned = await RoutingTurns.findOneAndUpdate(
    { id_project, department },
    [...begun(shares), ...withTurn(among)],
    {
      ...options,
      updatePipeline: true,
    },
  ).lean();
  return turned?.turn as string;
};

/** Give back a turn that came to nothing, as if it had not been taken. */
export const giveBack = async (
  { id_project, department, shares }: Turned,
  { turn, among }: { turn: string; among: Weighed[] },
  session?: ClientSession,
): Promise<void> => {
  if (among.length === 1) return;
  const paid = (share: Weighed) => (share.id_group === turn ? total(among) : 0) - share.weight;
  const credits = Object.fromEntries(among.map((share) => [share.id_group, added(share, paid(share))]));
  const same = { id_project, department, shares: nameOf(shares) };
  await RoutingTurns.updateOne(same, [{ $set: { credits } }], { session, updatePipeline: true });
};

/** What each group is owed now. */
export const creditsOf = async ({ id_project, department, shares }: Turned): Promise<Credits> => {
  const turned = await RoutingTurns.findOne({ id_project, department, shares: nameOf(shares) }, { credits: 1 }).lean();
  return (turned?.credits ?? {}) as Credits;
};
