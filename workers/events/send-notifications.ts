import { notifyOn } from '#shared/domain/notifications/notify-on-event.ts';
import type { Processor } from '#shared/jobs.ts';

/** Sends the notification emails for an event. */
const sendNotificationsJob: Processor<'events.send-notifications'> = (event) => notifyOn(event);
export default sendNotificationsJob;
