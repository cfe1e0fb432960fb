import * as activities from '#shared/domain/activities/activities.ts';
import * as history from '#shared/domain/activities/history.ts';
import { toldOf } from '#shared/domain/activities/told.ts';
import type { Processor } from '#shared/jobs.ts';

/** Who did what is written down: for the project, and for the conversation that it changed. */
const noteDeed: Processor<'events.note-deed'> = async (event) => {
  const told = await toldOf(event);
  if (!told) return;
  await activities.note(told);
  await history.note(told);
};
export default noteDeed;
