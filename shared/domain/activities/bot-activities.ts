/** Maps bot events to activities. */
import type { LoggedEvent } from '../events/logged-event.ts';
import { type ActivityDraft, type PayloadFields, pickFields } from './activity-draft.ts';

const BOT_FIELDS = ['_id', 'name', 'type', 'subtype', 'language', 'slug'];

const draftOf =
  (verb: string) =>
  ({ payload, record }: LoggedEvent): ActivityDraft => {
    const bot = payload.chatbot as PayloadFields;
    return {
      verb,
      target: { type: 'faq_kb', id: record, object: pickFields(bot, BOT_FIELDS) },
      actionObj: {
        ...pickFields(bot, ['name', 'type', 'subtype']),
        ...pickFields(payload, ['publishedBotId', 'release_note']),
      },
    };
  };

/** The mappers by event name. */
export const botActivities: Record<string, (event: LoggedEvent) => ActivityDraft> = {
  'faqbot.created': draftOf('FAQ_KB_CREATE'),
  'faqbot.deleted': draftOf('FAQ_KB_DELETE'),
  'faqbot.publish': draftOf('FAQ_KB_PUBLISH'),
};
