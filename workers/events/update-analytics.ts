import { recordEvents } from '#shared/domain/analytics/record-events.ts';
import type { Processor } from '#shared/jobs.ts';

/** Counts the records of a batch of events in the rollups from which analytics are read. */
const updateAnalytics: Processor<'events.update-analytics'> = ({ events }) => recordEvents(events);
export default updateAnalytics;
