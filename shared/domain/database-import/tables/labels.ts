/** Imports labels. */
import { Types } from 'mongoose';
import { z } from 'zod';
import { Label } from '../../../models/label.ts';
import { authoredFields, type Fields, flag, id, nonEmptyText, object, optional, text, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

const labelTexts = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

const labelEntry = z.object({
  _id: optional(id()),
  lang: nonEmptyText(),
  data: labelTexts,
  category: optional(text()),
  default: withDefault(flag(), false),
});

/** The texts that clients show. */
export const labels: ImportTable = {
  model: Label,
  sources: ['labels'],
  fields: z.object({ ...authoredFields, data: z.array(labelEntry), attributes: optional(object()) }),
  complete: (batch) => {
    for (const { record } of batch)
      record.data = (record.data as Fields[]).map(({ _id, ...entry }) => ({
        ...entry,
        _id: new Types.ObjectId(_id as string | undefined),
      }));
  },
};
