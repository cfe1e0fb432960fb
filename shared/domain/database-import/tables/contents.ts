/** Imports contents of knowledge bases. */
import { z } from 'zod';
import { CONTENT_STATUS, KbContent, NO_FAILURES } from '../../../models/kb-content.ts';
import { CONTENT_TYPES, REFRESH_RATES, withDefaults } from '../../knowledge/content-types.ts';
import { flag, id, nonEmptyText, number, object, optional, projectFields, text, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Contents. They are queued, so that workers read and index them. */
export const contents: ImportTable = {
  model: KbContent,
  sources: ['kbs', 'kb_contents', 'kbcontents'],
  fields: z.object({
    ...projectFields,
    namespace: optional(nonEmptyText()),
    type: z.enum(CONTENT_TYPES),
    source: nonEmptyText(),
    name: optional(nonEmptyText()),
    content: withDefault(text(), ''),
    scrape_type: optional(number()),
    scrape_options: optional(object()),
    refresh_rate: optional(z.enum(REFRESH_RATES)),
    sitemap_origin_id: optional(id()),
    sitemap_origin: optional(text()),
    tags: optional(z.array(text())),
    situated_context: optional(flag()),
    chunk_regex: optional(text()),
  }),
  replaced: {
    status: 'contents are indexed again',
    last_refresh: 'contents are indexed again',
    last_error: 'contents are indexed again',
    url: 'not used',
  },
  complete: (batch) => {
    for (const { record } of batch) {
      record.namespace ??= record.id_project;
      record.name ??= record.source;
      Object.assign(record, withDefaults(record.type as string, record));
      for (const key of Object.keys(record)) if (record[key] === undefined) delete record[key];
      // `nextAttemptAt` is the creation time, so that the oldest contents are indexed first.
      Object.assign(record, { status: CONTENT_STATUS.queued, nextAttemptAt: record.createdAt });
      Object.assign(record, { ...NO_FAILURES, attemptIds: [], chunks: 0 });
    }
  },
};
