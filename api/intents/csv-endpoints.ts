/** Endpoints that import and export intents as CSV. */
import { z } from 'zod';
import { addMissing } from '#shared/domain/bots/change-intents.ts';
import { readIntentRows } from '#shared/domain/bots/csv-intents.ts';
import { listOfBot } from '#shared/domain/bots/intents.ts';
import { read as readBot } from '#shared/domain/bots/bots.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { CSV_MEDIA_TYPE, csv } from '../http/response/csv.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { BotId } from './input.ts';
import { ALIAS_PATH, BASE_PATH } from './paths.ts';

const CSV_COLUMNS = ['question', 'answer', 'intent_id', 'intent_display_name', 'webhook_enabled'] as const;

async function* rowsOf(project: string, bot: string) {
  yield* await listOfBot(project, bot);
}

export default [
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/uploadcsv`,
    aliases: [{ path: `${ALIAS_PATH}/uploadcsv` }],
    role: 'admin',
    programs: 'all',
    summary:
      'Add intents from CSV without a header row, with the columns question, answer, intent_id, intent_display_name, webhook_enabled. Invalid rows, and rows with an existing name or id, are skipped',
    query: z.object({
      id_faq_kb: BotId,
      delimiter: z.string().length(1).default(';').meta({ description: 'Column separator' }),
    }),
    uploads: { type: 'text/csv', maxBytes: INPUT_LIMITS.intentsFileBytes },
    reply: z.strictObject({ success: z.boolean(), msg: z.string() }),
    handle: async ({ project, query: { id_faq_kb, delimiter }, upload, actor }) => {
      const rows = await readIntentRows((upload as Upload).pieces(), delimiter);
      if (!rows) return { success: false, msg: 'Parsing error' };
      await addMissing(project, id_faq_kb, { intents: rows, createdBy: actor.id });
      return { success: true, msg: 'CSV Parsed' };
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/csv`,
    aliases: [{ path: `${ALIAS_PATH}/csv` }],
    role: 'admin',
    programs: 'all',
    summary: 'Export the intents of a bot as CSV',
    query: z.object({ id_faq_kb: BotId }),
    downloads: CSV_MEDIA_TYPE,
    reply: z.string(),
    handle: async ({ project, query: { id_faq_kb } }) => {
      await readBot(project, id_faq_kb);
      return new Download(csv(CSV_COLUMNS, rowsOf(project, id_faq_kb)), 'faqs.csv');
    },
  }),
];
