/** Events that a listener failed at: they hold the later ones of their line for a while, and nobody else's. */
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { DeadEvent } from '../../models/dead-event.ts';
import { ListenerFailure } from '../../models/listener-failure.ts';
import { makeOnce } from '../../mongo.ts';
import type { Hearer, InLine } from './listeners.ts';

/** An event's later ones of the same line wait for it no longer than this. */
const HOLD_MS = 60_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 3_600_000;

/** An event out of its turn. */
export interface KeptAside extends InLine {
  tries: number;
  due: Date;
  since: Date;
}

const FIELDS = {
  ...{ _id: 0, id_project: 1, event: 1, id: 1, record: 1, position: 1, line: 1 },
  ...{ tries: 1, due: 1, since: 1 },
} as const;
const idOf = ({ name }: Hearer, { id }: InLine): string => `${name} ${id}`;

/** Whether the later events of its line wait for it: for a minute, or while it has not been tried at all. */
export const holds = ({ tries, since }: KeptAside): boolean => !tries || since.getTime() > Date.now() - HOLD_MS;

/** Those of these lines that are aside, in their order. */
export const aside = ({ name }: Hearer, lines: string[]): Promise<KeptAside[]> =>
  ListenerFailure.find({ listener: name, line: { $in: lines } }, FIELDS)
    .sort({ position: 1 })
    .lean();

/** Put an event behind those of its line that are aside since `since`. */
export const hold = async (hearer: Hearer, ref: InLine, since: Date): Promise<KeptAside> => {
  const kept = { ...ref, tries: 0, due: new Date(), since };
  await makeOnce(() => ListenerFailure.create([{ _id: idOf(hearer, ref), listener: hearer.name, ...kept }]));
  return kept;
};

/** Grows fourfold with each try, up to an hour; not the same for any two. */
const waitMs = (tries: number): number =>
  Math.min(FIRST_WAIT_MS * 4 ** (tries - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);

/** Why an event came to nothing this time. */
interface Failure {
  /** Tries before this one. */
  tries: number;
  since: Date;
  error: unknown;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 1000);

/** The operator's to look at from now on. */
const giveUp = async (hearer: Hearer, ref: InLine, { tries, error }: Failure): Promise<void> => {
  const { id_project, event, record, position } = ref;
  const code = error instanceof AppError ? error.code : 'TRIED_IN_VAIN';
  const dead = { by: hearer.name, code, message: messageOf(error), position, id_project, event, record };
  await DeadEvent.updateOne({ _id: idOf(hearer, ref) }, { $set: dead }, { upsert: true });
  logger.error({ listener: hearer.name, event: ref.id, tries, err: error }, 'event given up');
};

/** It was heard, or is given up. */
export const letGo = async (hearer: Hearer, ref: InLine): Promise<void> => {
  await ListenerFailure.deleteOne({ _id: idOf(hearer, ref) });
};

/** Keep an event for another try after it failed; null when it is given up: after all its tries, or at once when trying can not help. */
export const keepAside = async (hearer: Hearer, ref: InLine, failure: Failure): Promise<KeptAside | null> => {
  const { since, error } = failure;
  const tries = failure.tries + 1;
  if (error instanceof AppError || tries >= hearer.attempts) {
    await giveUp(hearer, ref, { tries, since, error });
    return null;
  }
  const due = new Date(Date.now() + waitMs(tries));
  const { id_project, event, id, record, position, line } = ref;
  await ListenerFailure.updateOne(
    { _id: idOf(hearer, ref) },
    {
      $set: { tries, due, since, error: messageOf(error) },
      $setOnInsert: { listener: hearer.name, id_project, event, id, record, position, line },
    },
    { upsert: true },
  );
  return { id_project, event, id, record, position, line, tries, due, since };
};

/** Lines of which an event may be tried now. */
export const linesDue = ({ name }: Hearer): Promise<string[]> =>
  ListenerFailure.distinct('line', { listener: name, due: { $lte: new Date() } });

/** Milliseconds until the next of a listener's events may be tried; null when none is aside. */
export const nextTry = async ({ name }: Hearer): Promise<number | null> => {
  const first = await ListenerFailure.findOne({ listener: name }, { due: 1 }).sort({ due: 1 }).lean();
  return first && Math.max(0, first.due.getTime() - Date.now());
};

/** How many of a listener's events are aside, and how many were given up. */
export const count = async ({ name }: Hearer) => ({
  aside: await ListenerFailure.countDocuments({ listener: name }),
  dead: await DeadEvent.countDocuments({ by: name }),
});
