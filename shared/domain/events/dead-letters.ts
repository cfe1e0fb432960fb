/**
 * Dead letters: events that a listener or the relay has given up on, and calls to bots that were given up. Also the
 * delays between the attempts of listeners and of calls to bots.
 */
import { AppError } from '../../errors.ts';
import type { EventRef } from '../../job-definitions.ts';
import { logger } from '../../logger.ts';
import { Change } from '../../models/change.ts';
import { DeadLetter, DeadLetterView } from '../../models/dead-letter.ts';
import { backoffMs } from '../../time/backoff.ts';
import { projectionOf } from '../../wire/view.ts';
import { OLDEST_CURSOR } from './cursors.ts';

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 3_600_000;
const MAX_TEXT_CHARACTERS = 10_000;
const MAX_ERROR_CHARACTERS = 1000;
const MAX_LISTED = 100;
const LETTER_FIELDS = projectionOf(DeadLetterView);

/**
 * Returns the randomized delay before the next attempt, in milliseconds. It grows by a factor of four with each
 * attempt, up to one hour.
 */
export const retryDelayMs = (attemptsMade: number): number =>
  backoffMs(attemptsMade, { baseMs: FIRST_DELAY_MS, maxMs: MAX_DELAY_MS, factor: 4 });

/** Returns the message of an error, truncated to the length that records store. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_CHARACTERS);

/**
 * Stores and logs the dead letter of an event. `failedBy` names the listener that has given up on the event or, for a
 * call to a bot that was given up, is `BOT_CALL_CONSUMER`.
 */
export const writeDeadLetter = async (
  failedBy: string,
  ref: EventRef,
  { attemptsMade, error }: { attemptsMade: number; error: unknown },
) => {
  const { id, id_project, event, record, position } = ref;
  const code = error instanceof AppError ? error.code : 'RETRIES_EXHAUSTED';
  const deadLetter = { failedBy, code, message: errorText(error), position, id_project, event, record };
  await DeadLetter.updateOne({ _id: `${failedBy} ${id}` }, { $set: deadLetter }, { upsert: true });
  logger.error({ listener: failedBy, event: id, attemptsMade, err: error }, 'event moved to the dead letters');
};

/** An event that cannot be relayed, with the reason. */
export interface UndeliverableEvent {
  position: string;
  code: string;
  message: string;
  id_project?: string;
  event?: string;
  record?: string;
  /** The text of the record's hidden field `_events` (the events of its last write) if it could not be decoded. */
  text?: string;
}

const relayUpsert = ({ text, ...rest }: UndeliverableEvent) => {
  const deadLetter = {
    failedBy: 'relay',
    ...rest,
    ...(text === undefined ? {} : { text: text.slice(0, MAX_TEXT_CHARACTERS) }),
  };
  return {
    updateOne: { filter: { _id: `relay ${rest.position}` }, update: { $setOnInsert: deadLetter }, upsert: true },
  };
};

/** Stores dead letters for events that the relay cannot deliver. Idempotent: each event has one dead letter. */
export const writeRelayDeadLetters = async (undeliverable: UndeliverableEvent[]): Promise<void> => {
  const [{ text: _, ...first } = {}] = undeliverable;
  if (!undeliverable.length) return;
  logger.error({ count: undeliverable.length, first }, 'undeliverable events stored in dead_letters');
  await DeadLetter.bulkWrite(undeliverable.map(relayUpsert), { ordered: false });
};

/** Returns the cursor after which a replay begins with the change at a position. */
const cursorBefore = async (position: string): Promise<string> => {
  const filter = { position: { $lt: position } };
  const before = await Change.findOne(filter, { position: 1 }, { anyProject: true }).sort({ position: -1 }).lean();
  return before?.position ?? OLDEST_CURSOR;
};

/** Returns the newest dead letters, oldest first, each with the cursor after which a replay begins with its event. */
export const listDeadLetters = async () => {
  const newest = await DeadLetter.find({}, LETTER_FIELDS).sort({ createdAt: -1 }).limit(MAX_LISTED).lean();
  return Promise.all(
    newest.toReversed().map(async (letter) => ({ ...letter, replayAfter: await cursorBefore(letter.position) })),
  );
};
