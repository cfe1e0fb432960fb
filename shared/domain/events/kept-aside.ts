/** Events that a listener failed at: they hold the later ones of their line for a while, and nobody else's. */
import { AppError } from '../../errors.ts';
import { DeadEvent } from '../../models/dead-event.ts';
import { ListenerFailure } from '../../models/listener-failure.ts';
import { makeOnce } from '../../mongo.ts';
import { bury, messageOf, waitMs } from './dead-letters.ts';
import type { Hearer, InLine } from './listeners.ts';

/** An event's later ones of the same line wait for it no longer than this. */
const HOLD_MS = 60_000;

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

/** Those of these lines that are aside, in their order; not more than `most`, if that is given. */
export const aside = async ({ name }: Hearer, lines: string[], most = 0): Promise<KeptAside[]> =>
  lines.length
    ? ListenerFailure.find({ listener: name, line: { $in: lines } }, FIELDS)
        .sort({ position: 1 })
        .limit(most)
        .lean()
    : [];

/** Since when the line of an event waits, and when the event may be tried; both now, unless given. */
interface Waiting {
  since?: Date;
  due?: Date;
}

/** Put an event aside that was not tried, behind those of its line that are there. */
export const hold = async (hearer: Hearer, ref: InLine, waiting: Waiting = {}): Promise<KeptAside> => {
  const { since = new Date(), due = new Date() } = waiting;
  const kept = { ...ref, tries: 0, due, since };
  await makeOnce(() => ListenerFailure.create([{ _id: idOf(hearer, ref), listener: hearer.name, ...kept }]));
  return kept;
};

/** Put off the next attempt at an event whose first one still goes on. */
export const putOff = async (hearer: Hearer, ref: InLine, due: Date): Promise<void> => {
  await ListenerFailure.updateOne({ _id: idOf(hearer, ref), tries: 0 }, { $set: { due } });
};

/** Why an event came to nothing this time. */
interface Failure {
  /** Tries before this one. */
  tries: number;
  since: Date;
  error: unknown;
}

/** It was heard, or is given up. */
export const letGo = async (hearer: Hearer, ref: InLine): Promise<void> => {
  await ListenerFailure.deleteOne({ _id: idOf(hearer, ref) });
};

/** Keep an event for another try after it failed; null when it is given up: after all its tries, or at once when trying can not help. */
export const keepAside = async (hearer: Hearer, ref: InLine, failure: Failure): Promise<KeptAside | null> => {
  const { since, error } = failure;
  const tries = failure.tries + 1;
  if (error instanceof AppError || tries >= hearer.attempts) {
    await bury(hearer.name, ref, { tries, error });
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

/** Lines of a project of which an event may be tried now. */
export const linesDue = ({ name }: Hearer, id_project: string): Promise<string[]> =>
  ListenerFailure.distinct('line', { listener: name, id_project, due: { $lte: new Date() } });

/** Projects of which an event may be tried now. */
export const projectsDue = ({ name }: Hearer): Promise<string[]> =>
  ListenerFailure.distinct('id_project', { listener: name, due: { $lte: new Date() } });

/** Milliseconds until the next of a project's events may be tried; null when none is aside. */
export const nextTry = async ({ name }: Hearer, id_project: string): Promise<number | null> => {
  const first = await ListenerFailure.findOne({ listener: name, id_project }, { due: 1 }).sort({ due: 1 }).lean();
  return first && Math.max(0, first.due.getTime() - Date.now());
};

/** How many of a listener's events are aside, and how many were given up. */
export const count = async ({ name }: Hearer) => ({
  aside: await ListenerFailure.countDocuments({ listener: name }),
  dead: await DeadEvent.countDocuments({ by: name }),
});
