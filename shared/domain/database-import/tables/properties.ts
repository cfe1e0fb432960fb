/** Imports custom properties of leads. */
import { z } from 'zod';
import { PROPERTY_STATUS, Property } from '../../../models/property.ts';
import { authoredFields, nonEmptyText, number, text, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

export const properties: ImportTable = {
  model: Property,
  sources: ['properties'],
  fields: z.object({
    ...authoredFields,
    label: nonEmptyText(),
    name: nonEmptyText(),
    type: withDefault(text(), 'text'),
    status: withDefault(number(), PROPERTY_STATUS.active),
  }),
};
