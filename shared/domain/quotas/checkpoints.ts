/**
 * Checkpoints: percentages of a quota. When usage reaches one, the owners and admins of the project are informed by
 * email.
 */
import type { Types } from 'mongoose';
import { emits } from '../../events.ts';
import { type CountedType, QuotaUsage } from '../../models/quota-usage.ts';
import type { ProjectPlan } from './plan.ts';

/** The checkpoints in percent, in ascending order. */
const CHECKPOINTS = [50, 75, 95, 100];

/** Returns the highest checkpoint that the usage has reached; 0 for none. A limit of 0 has no checkpoints. */
export const reachedCheckpoint = (used: number, limit: number): number =>
  limit > 0 ? (CHECKPOINTS.findLast((percent) => used * 100 >= percent * limit) ?? 0) : 0;

type Figures = Partial<Record<CountedType, number | null>> | null;

/** The record of a billing period: by type, the usage and the highest checkpoint that was announced. */
export interface UsageRecord {
  _id: Types.ObjectId;
  used?: Figures;
  announced?: Figures;
}

/**
 * Emits `quote.checkpoint` for each of the given types whose usage has reached a checkpoint that was not yet announced
 * in the billing period. Sends no command if there is none. If several checkpoints are reached at once, only the
 * highest one is announced. If the process is killed before it has announced a checkpoint, the next use announces it.
 */
export const announceCheckpoints = async (
  { project, limits }: ProjectPlan,
  { _id, used, announced }: UsageRecord,
  types: readonly CountedType[],
): Promise<void> => {
  for (const type of types) {
    const [limit, figure] = [limits[type] ?? 0, used?.[type] ?? 0];
    const checkpoint = reachedCheckpoint(figure, limit);
    if (checkpoint <= (announced?.[type] ?? 0)) continue;
    const field = `announced.${type}`;
    await QuotaUsage.updateOne(
      { _id, id_project: project._id, [field]: { $not: { $gte: checkpoint } } } as object,
      { $set: { [field]: checkpoint } },
      emits(['quote.checkpoint', { project, type, checkpoint, limit }]),
    );
  }
};
