/** Imports canned responses. */
import { z } from 'zod';
import { CANNED_RESPONSE_STATUS, CannedResponse } from '../../../models/canned-response.ts';
import { authoredFields, flag, nonEmptyText, number, object, optional, text, withDefault } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

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
