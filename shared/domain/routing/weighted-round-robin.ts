/**
 * Smooth weighted round robin over the groups that share a department's conversations by percentage. At each turn,
 * every group's credit grows by its weight; the group with the highest credit is selected, and its credit is reduced by
 * the sum of the weights. After any number of turns, each group's number of turns differs from its exact share by less
 * than the number of groups.
 */
import type { ClientSession } from 'mongoose';
import { RoundRobinState } from '../../models/round-robin-state.ts';
import type { GroupShare } from './routing-plan.ts';

/** The credit of each group, by group id. */
export type GroupCredits = Record<string, number>;

type WeightedShare = Pick<GroupShare, 'id_group' | 'weight'>;

const totalWeight = (shares: WeightedShare[]): number => shares.reduce((sum, { weight }) => sum + weight, 0);

/** Returns the id of the group whose turn it is, and the credits after that turn. */
export const nextTurn = (
  credits: GroupCredits,
  shares: WeightedShare[],
): { groupId: string; credits: GroupCredits } => {
  const credited = shares.map(({ id_group, weight }) => ({ id_group, credit: (credits[id_group] ?? 0) + weight }));
  const next = credited.reduce((highest, each) => (each.credit > highest.credit ? each : highest));
  const after = Object.fromEntries(credited.map(({ id_group, credit }) => [id_group, credit]));
  return {
    groupId: next.id_group,
    credits: { ...credits, ...after, [next.id_group]: next.credit - totalWeight(shares) },
  };
};

/** The department whose groups take turns, and the shares of all of them. */
interface TurnKey {
  id_project: string;
  department: string;
  shares: WeightedShare[];
}

const sharesKey = (shares: WeightedShare[]): string =>
  shares.map(({ id_group, weight }) => `${id_group}:${weight}`).join(' ');

/** The stored field is named `currentWeights`, and contains the credits. */
const creditPath = ({ id_group }: WeightedShare) => `$currentWeights.${id_group}`;

/** Returns the update stages that reset the credits if the shares have changed since the credits were stored. */
const resetStages = (shares: WeightedShare[]) => {
  const key = sharesKey(shares);
  const currentWeights = { $cond: [{ $eq: ['$shares', key] }, { $ifNull: ['$currentWeights', {}] }, {}] };
  return [{ $set: { shares: key, currentWeights } }];
};

const addedCredit = (share: WeightedShare, amount: unknown) => ({
  $add: [{ $ifNull: [creditPath(share), 0] }, amount],
});

const turnStages = (shares: WeightedShare[]) => {
  const each = shares.map((share) => ({ id: share.id_group, credit: creditPath(share) }));
  const higher = { $cond: [{ $gt: ['$$this.credit', '$$value.credit'] }, '$$this', '$$value'] };
  const highest = { $reduce: { input: each, initialValue: each[0], in: higher } };
  const payment = (share: WeightedShare) => ({
    $cond: [{ $eq: ['$lastGroup', share.id_group] }, totalWeight(shares), 0],
  });
  return [
    {
      $set: {
        currentWeights: Object.fromEntries(shares.map((share) => [share.id_group, addedCredit(share, share.weight)])),
      },
    },
    { $set: { lastGroup: { $getField: { field: 'id', input: highest } } } },
    {
      $set: {
        currentWeights: Object.fromEntries(
          shares.map((share) => [share.id_group, { $subtract: [creditPath(share), payment(share)] }]),
        ),
      },
    },
  ];
};

/**
 * Takes the next turn among `groups`, which are a subset of the groups that share the department, and returns the
 * selected group's id. A single group is returned without a write, because its credit would not change.
 */
export const takeTurn = async (
  { id_project, department, shares }: TurnKey,
  groups: WeightedShare[],
  session?: ClientSession,
): Promise<string> => {
  const [first] = groups;
  if (first && groups.length === 1) return first.id_group;
  const options = { upsert: true, returnDocument: 'after', projection: { lastGroup: 1 }, session } as const;
  const record = await RoundRobinState.findOneAndUpdate(
    { id_project, department },
    [...resetStages(shares), ...turnStages(groups)],
    {
      ...options,
      updatePipeline: true,
    },
  ).lean();
  return record?.lastGroup as string;
};

/** Undoes a turn whose reservation failed or was undone. Does nothing if the shares have changed since the turn. */
export const refundTurn = async (
  { id_project, department, shares }: TurnKey,
  { groupId, groups }: { groupId: string; groups: WeightedShare[] },
  session?: ClientSession,
): Promise<void> => {
  if (groups.length === 1) return;
  const refund = (share: WeightedShare) => (share.id_group === groupId ? totalWeight(groups) : 0) - share.weight;
  const currentWeights = Object.fromEntries(groups.map((share) => [share.id_group, addedCredit(share, refund(share))]));
  const sameShares = { id_project, department, shares: sharesKey(shares) };
  await RoundRobinState.updateOne(sameShares, [{ $set: { currentWeights } }], { session, updatePipeline: true });
};

/** Reads the current credits; empty if the shares have changed since the credits were stored. */
export const readCredits = async ({ id_project, department, shares }: TurnKey): Promise<GroupCredits> => {
  const record = await RoundRobinState.findOne(
    { id_project, department, shares: sharesKey(shares) },
    { currentWeights: 1 },
  ).lean();
  return (record?.currentWeights ?? {}) as GroupCredits;
};
