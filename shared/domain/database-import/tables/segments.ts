/** Imports segments. */
import { z } from 'zod';
import { FILTER_MATCHES, FILTER_OPERATORS, SEGMENT_STATUS, Segment } from '../../../models/segment.ts';
import { authoredFields, list, nonEmptyText, number, withDefault, withTextIds } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

const filter = z.object({
  field: nonEmptyText(),
  operator: z.enum(FILTER_OPERATORS),
  value: z.unknown().transform(withTextIds),
});

export const segments: ImportTable = {
  model: Segment,
  sources: ['segments'],
  fields: z.object({
    ...authoredFields,
    name: nonEmptyText(),
    match: withDefault(z.enum(FILTER_MATCHES), 'all'),
    filters: list(filter),
    status: withDefault(number(), SEGMENT_STATUS.active),
  }),
};
