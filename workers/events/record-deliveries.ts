import { recordDeliveries } from '#shared/domain/webhooks/record-deliveries.ts';
import type { Processor } from '#shared/jobs.ts';

/** Stores the deliveries of a batch of events to subscriptions. The `webhooks.deliver` job makes the deliveries. */
const recordDeliveriesJob: Processor<'events.record-deliveries'> = ({ events }) => recordDeliveries(events);
export default recordDeliveriesJob;
