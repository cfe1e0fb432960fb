/** Rollups of many conversations and messages, without the records. */
import { inTransaction } from '#shared/database/connection.ts';
import { DAY_MS } from '#shared/domain/analytics/quarter-hours.ts';
import { RowChanges } from '#shared/domain/analytics/row-changes.ts';
import type { Facts } from '#shared/domain/analytics/series.ts';
import { aConversation, aMessage } from './analytics-records.ts';

const DAYS = 395;
/** Each transaction costs milliseconds. */
const DAYS_PER_TRANSACTION = 20;

/**
 * Stores the rollups that so many conversations in the last 13 months produce, each with one message, in the series
 * without filters. Conversations are evenly distributed over time.
 */
export const storeRollups = async (
  id_project: string,
  { count, random, now }: { count: number; random: () => number; now: number },
): Promise<void> => {
  const perDay = Math.ceil(count / DAYS);
  let changes = new RowChanges();
  for (let day = 0; day < DAYS; day++) {
    for (let index = 0; index < perDay; index++) {
      const createdAt = new Date(now - DAYS * DAY_MS + day * DAY_MS + ((index + random()) / perDay) * DAY_MS);
      const conversation = aConversation(id_project, random, createdAt);
      const { sourcePage, hasBot, status, waiting_time: waitingMs, closed_at, rating } = conversation;
      const durationMs = closed_at && closed_at.getTime() - createdAt.getTime();
      const facts: Facts = { createdAt, sourcePage, hasBot, status, waitingMs, durationMs, rating };
      changes.add(id_project, { subject: 'requests', facts });
      const { sender, attributes } = aMessage(conversation, random);
      const message = { createdAt, sender, answer: attributes._answerid };
      changes.add(id_project, { subject: 'messages', facts: message });
    }
    if ((day + 1) % DAYS_PER_TRANSACTION !== 0 && day + 1 !== DAYS) continue;
    const batch = changes;
    await inTransaction((session) => batch.apply(session));
    changes = new RowChanges();
  }
};
