/** Catalogues that agents work with: tags, canned responses and labels. */
import { Types } from 'mongoose';
import { z } from 'zod';
import { CANNED_RESPONSE_STATUS, CannedResponse } from '../../../models/canned-response.ts';
import { Label } from '../../../models/label.ts';
import { Tag } from '../../../models/tag.ts';
import {
  authoredFields,
  type Fields,
  flag,
  id,
  nonEmptyText,
  number,
  object,
  optional,
  tagFields,
  text,
  withDefault,
} from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** The tag catalogues. */
export const tags: ImportTable = {
  model: Tag,
  sources: ['tags', 'taglibraries', 'tag_libraries'],
  fields: z.object({ ...authoredFields, ...tagFields }),
};

/** Canned responses. */
export const cannedResponses: ImportTable = {
  model: CannedResponse,
  sources: ['cannedresponses', 'canned_responses', 'canneds', 'canned'],
  fields: z.object({
    ...authoredFields,
    title: optional(text()),
    text: nonEmptyText(),
    attributes: optional(object()),
    shared: optional(flag()),
    status: withDefault(number(), CANNED_RESPONSE_STATUS.active),
  }),
};

const labelTexts = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

const labelEntry = z.object({
  _id: optional(id()),
  lang: nonEmptyText(),
  data: labelTexts,
  category: optional(text()),
  default: withDefault(flag(), false),
});

/** Texts of clients. */
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
