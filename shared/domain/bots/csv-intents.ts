/** Reads intents from CSV. */
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { CsvError, parse } from 'csv-parse/sync';
import { IntentInput } from './import-input.ts';
import type { IntentFields } from './insert-intents.ts';
import { replyAction } from './templates/chat.ts';

const CSV_OPTIONS = { relax_column_count: true, skip_empty_lines: true, bom: true, trim: true };

const parseRows = (bytes: Buffer, delimiter: string): string[][] | null => {
  try {
    return parse(bytes, { ...CSV_OPTIONS, delimiter });
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
};

const toIntent = ([question, answer, intent_id, intent_display_name, webhook_enabled]: string[]) => ({
  question,
  ...(answer && { actions: [replyAction(randomUUID(), answer)] }),
  ...(intent_id && { intent_id }),
  ...(intent_display_name && { intent_display_name }),
  webhook_enabled: webhook_enabled === 'true',
});

/**
 * Reads intents from a CSV file without a header. Its columns are `question`, `answer`, `intent_id`,
 * `intent_display_name` and `webhook_enabled`. The answer becomes a reply action. Invalid intents and rows without a
 * question are skipped. Returns null if the file is not CSV.
 */
export const readIntentRows = async (
  pieces: AsyncIterable<Buffer>,
  delimiter: string,
): Promise<IntentFields[] | null> => {
  const rows = parseRows(await buffer(pieces), delimiter);
  return (
    rows?.flatMap((row) => {
      const { success, data } = IntentInput.safeParse(toIntent(row));
      return success && data.question ? [data] : [];
    }) ?? null
  );
};
