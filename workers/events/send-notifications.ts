import { notifyOn } from '#shared/domain/notifications/notify-on-event.ts';
import type { Processor } from '#shared/jobs.ts';

/** Stores and enqueues the notification emails for an event. The `mail.send` job sends them. */
const sendNotificationsJob: Processor<'events.send-notifications'> = (event) => notifyOn(event);
export default sendNotificationsJob;
