/** Imports groups of teammates. */
import { z } from 'zod';
import { Group } from '../../../models/group.ts';
import { authoredFields, flag, list, nonEmptyText, object, optional, text, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Groups of teammates. */
export const groups: ImportTable = {
  model: Group,
  sources: ['groups'],
  fields: z.object({
    ...authoredFields,
    name: nonEmptyText(),
    members: list(text()),
    enabled: withDefault(flag(), true),
    trashed: withDefault(flag(), false),
    attributes: optional(object()),
  }),
};
