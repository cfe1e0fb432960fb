/** The changes log as tests read it: once everything written so far is in it. */
import { emits } from '#shared/emits.ts';
import { newId } from '#shared/context.ts';
import { Change } from '#shared/models/change.ts';
import { Outbox } from '#shared/models/outbox.ts';
import { relaying } from './relay.ts';
import { until } from './until.ts';

/** Waits until whatever relays has relayed a probe, and so all that was written before it. */
export const caughtUp = async (seconds = 10): Promise<void> => {
  const probe = newId();
  await Outbox.create([{ id_project: probe, record: probe, shown: {} }], emits('kb.namespace.update'));
  await until(async () => Boolean(await Change.exists({ id_project: probe })), seconds);
};

/** The entries of the project in their order, as far as they are now. */
export const logged = (project: string) => Change.find({ id_project: project }).sort({ position: 1 }).lean();

/** Everything that was told of the project so far, relayed by this process. */
export const changes = async (project: string) => {
  relaying();
  await caughtUp();
  return logged(project);
};
