import * as activities from '#shared/domain/activities/activities.ts';
import { findLoggedEvent } from '#shared/domain/events/logged-event.ts';
import * as history from '#shared/domain/activities/conversation-history.ts';
import type { Processor } from '#shared/jobs.ts';

/** Records an event in the project's activities and in the conversation's history. */
const recordActivityJob: Processor<'events.record-activity'> = async (event) => {
  const loggedEvent = await findLoggedEvent(event);
  if (!loggedEvent) return;
  await activities.record(loggedEvent);
  await history.record(loggedEvent);
};
export default recordActivityJob;
