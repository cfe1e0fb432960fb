/** Maps bot events to activities. */
import type { LoggedEvent } from '../events/logged-event.ts';
import { type ActivityDraft, pickFields } from './activity-draft.ts';

const BOT_FIELDS = ['_id', 'name', 'type', 'subtype', 'language', 'slug'];

const draftOf =
  (verb: string) =>
  ({ payload, record }: LoggedEvent): ActivityDraft => ({
    verb,
    target: { type: 'faq_kb', id: record, object: pickFields(payload, BOT_FIELDS) },
    actionObj: pickFields(payload, ['name', 'type', 'subtype', 'release_note']),
  });

/** The mappers by event name. */
export const botActivities: Record<string, (event: LoggedEvent) => ActivityDraft> = {
  'faqbot.created': draftOf('FAQ_KB_CREATE'),
  'faqbot.deleted': draftOf('FAQ_KB_DELETE'),
  'faqbot.publish': draftOf('FAQ_KB_PUBLISH'),
};
