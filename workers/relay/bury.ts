import { logger } from '#shared/logger.ts';
import { DeadEvent } from '#shared/models/dead-event.ts';
import type { Untold } from './decode.ts';

const TEXT_KEPT = 10_000;

const buried = ({ text, ...each }: Untold) => {
  const dead = { by: 'relay', ...each, ...(text === undefined ? {} : { text: text.slice(0, TEXT_KEPT) }) };
  return { updateOne: { filter: { _id: `relay ${each.position}` }, update: { $setOnInsert: dead }, upsert: true } };
};

/** Set aside what can not be told, once each however often it is met. */
export const bury = async (untold: Untold[]): Promise<void> => {
  const [{ text: _, ...first } = {}] = untold;
  if (!untold.length) return;
  logger.error({ count: untold.length, first }, 'events can not be told; see dead_events');
  await DeadEvent.bulkWrite(untold.map(buried), { ordered: false });
};
