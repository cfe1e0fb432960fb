import { WebhookDelivery } from '../../models/webhook-delivery.ts';
import type { CircuitKey } from './circuit.ts';

/** Counts the open and the given-up deliveries of each subscription. */
export const countBacklog = async () => {
  const countIf = (condition: object) => ({ $sum: { $cond: [condition, 1, 0] } });
  return WebhookDelivery.aggregate<{ _id: CircuitKey; open: number; failed: number; oldest: Date | null }>([
    { $match: { $or: [{ dueAt: { $exists: true } }, { given_up: true }] } },
    {
      $group: {
        _id: { id_project: '$id_project', subscription: '$subscription' },
        open: countIf({ $ne: [{ $type: '$dueAt' }, 'missing'] }),
        failed: countIf({ $eq: ['$given_up', true] }),
        oldest: { $min: '$createdAt' },
      },
    },
    { $sort: { open: -1, failed: -1 } },
  ]).option({ anyProject: true });
};
