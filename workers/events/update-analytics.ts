import { countRecordsOfEvents } from '#shared/domain/analytics/count-events.ts';
import type { Processor } from '#shared/jobs.ts';

/** Counts the records of a batch of events in the rollups from which analytics are read. */
const updateAnalytics: Processor<'events.update-analytics'> = ({ events }) => countRecordsOfEvents(events);
export default updateAnalytics;
