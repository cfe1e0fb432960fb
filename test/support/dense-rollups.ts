/** Rollups of many conversations and messages, without the records. */
import { inTransaction } from '#shared/database/connection.ts';
import { DAY_MS } from '#shared/domain/analytics/quarter-hours.ts';
import { RowChanges } from '#shared/domain/analytics/row-changes.ts';
import type { Facts, Subject } from '#shared/domain/analytics/series.ts';
import { AnalyticsContribution } from '#shared/models/analytics-contribution.ts';
import { aConversation, aMessage } from './analytics-records.ts';

const DAYS = 395;
/** Several days share a transaction, because each transaction costs milliseconds. */
const DAYS_PER_TRANSACTION = 20;
/**
 * How many days ago the default periods of figures begin. If a period begins within a quarter hour, figures read its
 * part of this quarter hour from the contributions.
 */
const PERIOD_DAYS = [4 / 24, 1, 7, 30];
const HOUR_MS = 3_600_000;

/** The facts of a conversation and of its message: the fields that analytics read. */
const randomFacts = (
  id_project: string,
  random: () => number,
  createdAt: Date,
): Record<'requests' | 'messages', Facts> => {
  const conversation = aConversation(id_project, random, createdAt);
  const { sourcePage, hasBot, status, waiting_time: waitingMs, closed_at, rating } = conversation;
  const durationMs = closed_at && closed_at.getTime() - createdAt.getTime();
  const { sender, attributes } = aMessage(conversation, random);
  return {
    requests: { createdAt, sourcePage, hasBot, status, waitingMs, durationMs, rating },
    messages: { createdAt, sender, answer: attributes._answerid },
  };
};

/**
 * Stores the rollups of `count` conversations of the last 13 months, each with one message, in the series without
 * filters. Conversations are evenly distributed over time. Also stores the contributions around the starts of the
 * default periods, which figures read.
 */
export const storeRollups = async (
  id_project: string,
  { count, random, now }: { count: number; random: () => number; now: number },
): Promise<void> => {
  const perDay = Math.ceil(count / DAYS);
  let changes = new RowChanges();
  let contributions: object[] = [];
  for (let day = 0; day < DAYS; day++) {
    for (let index = 0; index < perDay; index++) {
      const createdAt = new Date(now - DAYS * DAY_MS + day * DAY_MS + ((index + random()) / perDay) * DAY_MS);
      const isRead = PERIOD_DAYS.some((days) => Math.abs(now - days * DAY_MS - createdAt.getTime()) < HOUR_MS);
      for (const [subject, facts] of Object.entries(randomFacts(id_project, random, createdAt)) as [Subject, Facts][]) {
        changes.add(id_project, { subject, facts });
        if (isRead)
          contributions.push({
            _id: `${id_project} ${subject} ${day} ${index}`,
            id_project,
            subject,
            createdAt,
            facts,
          });
      }
    }
    if ((day + 1) % DAYS_PER_TRANSACTION !== 0 && day + 1 !== DAYS) continue;
    const batch = changes;
    await inTransaction((session) => batch.apply(session));
    changes = new RowChanges();
    if (contributions.length) await AnalyticsContribution.collection.insertMany(contributions);
    contributions = [];
  }
};
