/** How long the records of each collection are kept. MongoDB deletes them by means of TTL indexes. */
import { models } from '../../database/collection.ts';

/** The settings that determine retention times, by collection. The other times are fixed. */
const SETTINGS: Record<string, string> = {
  activities: 'ACTIVITY_TTL_SECONDS',
  bot_calls: 'CHANGES_TTL_SECONDS',
  changes: 'CHANGES_TTL_SECONDS',
  events: 'EVENT_TTL_SECONDS',
  kb_answered: 'QUESTION_TTL_SECONDS',
  kb_question_clusters: 'QUESTION_TTL_SECONDS',
  kb_unanswered: 'QUESTION_TTL_SECONDS',
  request_changes: 'ACTIVITY_TTL_SECONDS',
  trigger_runs: 'CHANGES_TTL_SECONDS',
  webhook_attempts: 'WEBHOOK_LOG_TTL_SECONDS',
  webhook_deliveries: 'WEBHOOK_LOG_TTL_SECONDS',
};

/** The retention time of a collection: `seconds` after the time in `field`. */
export interface RetentionTime {
  name: string;
  field: string;
  seconds: number;
  setting?: string;
}

/** Returns the retention time of each collection that has one, sorted by the name of the collection. */
export const retentionTimes = (): RetentionTime[] =>
  models()
    .flatMap(({ modelName: name, schema }) =>
      schema
        .indexes()
        .flatMap(([keys, { expireAfterSeconds: seconds }]) =>
          typeof seconds === 'number'
            ? [{ name, field: Object.keys(keys)[0] ?? '', seconds, setting: SETTINGS[name] }]
            : [],
        ),
    )
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
