/** When MongoDB's log no longer reaches back to where the relay stopped: say so to everybody, and tell again what can still be known. */
import { mongo } from 'mongoose';
import { decodeTime, encodeTime } from 'ulid';
import type { Turn } from '#shared/domain/events/relay.ts';
import type { Key } from '#shared/domain/events/shown.ts';
import { logger } from '#shared/logger.ts';
import { Change as Log, EVERYBODY } from '#shared/models/change.ts';
import { models } from '#shared/mongo.ts';
import { relay } from './batch.ts';
import { positionOf } from './decode.ts';
import type { Change } from './stream.ts';

/** InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost, and a change that is too large for the stream. */
const LOST = new Set([260, 280, 286, 10_334]);
/** Clocks of processes may differ by this much. */
const MARGIN_MS = 600_000;
const BATCH = 200;
/** A text of events, as far as its time; any other was set aside when it was written. */
const DATED = /^\["[0-9A-HJKMNP-TV-Z]{26}"/;

/** True where the log can not be followed from the place it was asked for, now or ever. */
export const isLost = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && LOST.has(Number(error.code));

interface Stored {
  _id: Key;
  _events: string;
  id_project?: string;
  __v?: number;
  record?: string;
  shown?: object;
}

const timeOf = (text: string): Date => new Date(decodeTime(text.slice(2, 28)));

/** What a record tells at present, as if it were told only now. */
const asChange = (model: string, { _id, _events, id_project, __v, record, shown }: Stored, place: string) => ({
  ...{ _id: { _data: place }, kind: 'rescan', model, record: _id, at: timeOf(_events), text: _events },
  ...{ id_project, revision: __v },
  ...(model === 'outbox' ? { told: { record, shown } as Change['told'] } : {}),
});

/** Every record that told something since then; the text of `_events` begins with the time of its write. */
const tellingSince = (model: ReturnType<typeof models>[number], since: number) =>
  model
    .find({ _events: { $gte: `["${encodeTime(since, 10)}`, $regex: DATED } } as object, null, { anyProject: true })
    .select({ _events: 1, id_project: 1, record: 1, shown: 1, __v: 1 })
    .sort({ _events: 1 })
    .allowDiskUse(true)
    .lean<Stored[]>()
    .cursor({ batchSize: BATCH });

const tellAgain = async (token: string, since: number): Promise<number> => {
  let told = 0;
  for (const model of models()) {
    let batch: Change[] = [];
    for await (const stored of tellingSince(model, since)) {
      told += 1;
      batch.push(asChange(model.modelName, stored, `${token}.${String(told).padStart(9, '0')}`));
      if (batch.length < BATCH) continue;
      await relay(batch);
      batch = [];
    }
    await relay(batch);
  }
  return told;
};

/**
 * Write the gap into the log, for every client to list anew (decision 54), then relay once more what records told last, from a while
 * before the relay stopped; what the log has already is dropped by its id. `token` is where the stream goes on.
 */
export const tellGap = async ({ complete }: Turn, token: string): Promise<void> => {
  logger.error({ complete }, 'events were lost: the relay stood still for longer than MongoDB keeps its log');
  const gap = { _id: `gap-${token}`, id_project: EVERYBODY, position: positionOf(token, 0), event: 'gap' };
  await Log.create([{ ...gap, createdAt: new Date() }]);
  const told = await tellAgain(token, Math.max(0, (complete?.getTime() ?? 0) - MARGIN_MS));
  logger.error({ told }, 'after the gap the records that changed were told again');
};
