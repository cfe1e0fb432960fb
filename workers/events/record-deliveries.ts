import { recordDeliveries } from '#shared/domain/webhooks/record-deliveries.ts';
import type { Processor } from '#shared/jobs.ts';

/** Stores the deliveries that a batch of events makes due; the job `webhooks.deliver` makes them. */
const recordDeliveriesJob: Processor<'events.record-deliveries'> = ({ events }) => recordDeliveries(events);
export default recordDeliveriesJob;
