/** Imports namespaces of knowledge bases. */
import { z } from 'zod';
import { KbNamespace } from '../../../models/kb-namespace.ts';
import { flag, nonEmptyText, object, projectFields, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Namespaces. Vectors are not imported: contents are indexed again with the engine and model in use. */
export const namespaces: ImportTable = {
  model: KbNamespace,
  sources: ['namespaces', 'kb_namespaces', 'kbnamespaces'],
  fields: z.object({
    ...projectFields,
    id: nonEmptyText(),
    name: nonEmptyText(),
    default: withDefault(flag(), false),
    hybrid: withDefault(flag(), false),
    preview_settings: withDefault(object(), {}),
  }),
  replaced: {
    engine: 'the engine of this system is used',
    embedding: 'the embedding model of this system is used',
  },
  complete: (batch) => {
    for (const { record } of batch) record.indexId = '';
  },
};
