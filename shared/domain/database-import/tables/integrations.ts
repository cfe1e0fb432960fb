/** Imports integrations. */
import { z } from 'zod';
import { Integration } from '../../../models/integration.ts';
import { encryptKeys, separateKeys } from '../../integrations/integration-keys.ts';
import { type Fields, nonEmptyText, object, projectFields, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Accounts with other services; their keys are encrypted. */
export const integrations: ImportTable = {
  model: Integration,
  sources: ['integrations'],
  fields: z.object({ ...projectFields, name: nonEmptyText(), value: withDefault(object(), {}) }),
  complete: (batch) => {
    for (const { record } of batch) {
      const { value, keys } = separateKeys(record.value as Fields);
      record.value = value;
      record.secrets = encryptKeys(keys, record as { id_project: string; name: string });
    }
  },
};
