/** When work on an event is tried again, and where it is put when trying is over. */
import { AppError } from '../../errors.ts';
import type { EventRef } from '../../jobs.ts';
import { logger } from '../../logger.ts';
import { DeadEvent } from '../../models/dead-event.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 3_600_000;

/** Milliseconds until the next attempt: four times as many after each, at most an hour, spread by chance. */
export const waitMs = (tries: number): number =>
  Math.min(FIRST_WAIT_MS * 4 ** (tries - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);

/** The text of an error, as records keep it. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1000);

/** Write the dead letter of an event that a listener gave up. */
export const bury = async (by: string, ref: EventRef, { tries, error }: { tries: number; error: unknown }) => {
  const { id, id_project, event, record, position } = ref;
  const code = error instanceof AppError ? error.code : 'TRIED_IN_VAIN';
  const dead = { by, code, message: messageOf(error), position, id_project, event, record };
  await DeadEvent.updateOne({ _id: `${by} ${id}` }, { $set: dead }, { upsert: true });
  logger.error({ listener: by, event: id, tries, err: error }, 'event given up');
};
