/** Whose turn it is to relay, and how far the relay has come: one record in MongoDB, so that nothing of it depends on Redis. */
import mongoose from 'mongoose';
import { Relay } from '../../models/relay.ts';

const _id = 'relay';
/** A killed relay is replaced after this time and one look of those who wait. */
const LEASE_MS = 1500;

/** Losing one of these writes costs nothing: what is relayed twice is dropped by its id. */
const LIGHT = { updatePipeline: true, writeConcern: { w: 1, j: false } } as const;
const UNTIL = { $add: ['$$NOW', LEASE_MS] };
const OVER = new Date(0);

/** The present time of the database's log. */
const now = async (): Promise<unknown> => (await mongoose.connection.db?.command({ ping: 1 }))?.operationTime;

/** Note, before anything is told, where the first relay begins. */
export const begin = async (): Promise<void> => {
  await Relay.updateOne({ _id }, { $setOnInsert: { epoch: 0, until: OVER, beginning: await now() } }, { upsert: true });
};

/** A turn: whoever has the latest epoch is the relay. */
export interface Turn {
  epoch: number;
  token?: unknown;
  beginning?: unknown;
  complete?: Date | null;
}

/** Become the relay; null while another one is. Its clock is the database's. */
export const take = (holder: string): Promise<Turn | null> =>
  Relay.findOneAndUpdate(
    { _id, $expr: { $or: [{ $lt: ['$until', '$$NOW'] }, { $eq: ['$holder', holder] }] } },
    [{ $set: { holder: { $literal: holder }, until: UNTIL, epoch: { $add: ['$epoch', 1] } } }],
    { ...LIGHT, returnDocument: 'after' },
  ).lean<Turn | null>();

/** How far the changes log has come. */
export interface Progress {
  token?: unknown;
  complete?: Date;
  lag?: { events: number; p50: number; p99: number; most: number };
}

/** Stay the relay, and note how far it has come; false when somebody else has taken over. */
export const keep = async ({ epoch }: Turn, progress: Progress): Promise<boolean> => {
  const known = Object.entries(progress).filter(([, value]) => value !== undefined);
  const changes = Object.fromEntries(known.map(([key, value]) => [key, { $literal: value }]));
  const { matchedCount } = await Relay.updateOne({ _id, epoch }, [{ $set: { ...changes, until: UNTIL } }], LIGHT);
  return matchedCount === 1;
};

/** Let the next one begin at once. */
export const leave = async ({ epoch }: Turn): Promise<void> => {
  await Relay.updateOne({ _id, epoch }, { $set: { until: OVER } });
};

/** How it stands, for metrics; null before the first start. */
export const state = () => Relay.findOne({ _id }, { epoch: 1, complete: 1, lag: 1, until: 1 }).lean();
