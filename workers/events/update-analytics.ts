import { countRecordsOfEvents } from '#shared/domain/analytics/count-events.ts';
import type { Processor } from '#shared/jobs.ts';

/** Updates the rollups, from which analytics are read, with the records of a batch of events. */
const updateAnalytics: Processor<'events.update-analytics'> = ({ events }) => countRecordsOfEvents(events);
export default updateAnalytics;
