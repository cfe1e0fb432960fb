import * as activities from '#shared/domain/activities/activities.ts';
import * as history from '#shared/domain/activities/conversation-history.ts';
import { findLoggedEvents } from '#shared/domain/events/logged-event.ts';
import type { Processor } from '#shared/jobs.ts';

/** Maximum number of events whose payloads are in memory at the same time. */
const EVENTS_PER_SLICE = 100;

/** Records events in the activities of their projects and in the histories of their conversations. */
const recordActivityJob: Processor<'events.record-activity'> = async ({ events }) => {
  for (let start = 0; start < events.length; start += EVENTS_PER_SLICE) {
    const ids = events.slice(start, start + EVENTS_PER_SLICE).map(({ id }) => id);
    const found = await findLoggedEvents(ids);
    const logged = ids.flatMap((id) => found.get(id) ?? []);
    await activities.record(logged);
    await history.record(logged);
  }
};
export default recordActivityJob;
