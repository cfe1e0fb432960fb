/** Imports subscriptions. */
import { z } from 'zod';
import { INSTANCE } from '../../../models/change.ts';
import { Subscription } from '../../../models/subscription.ts';
import { isSubscribable } from '../../webhooks/subscribable-events.ts';
import { authoredFields, id, nonEmptyText } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

/** Subscriptions to events, and global subscriptions. Their secrets stay valid. */
export const subscriptions: ImportTable = {
  model: Subscription,
  sources: ['subscriptions'],
  fields: z.object({
    ...authoredFields,
    id_project: z.preprocess((value) => value ?? INSTANCE, z.union([z.literal(INSTANCE), id()])),
    event: nonEmptyText().refine(isSubscribable, 'must be the name of an event that docs/webhooks.md lists'),
    target: z.url({ protocol: /^https?$/ }),
    secret: nonEmptyText(),
  }),
  replaced: { global: 'a global subscription belongs to the project "instance"' },
  complete: (batch) => {
    for (const document of batch) {
      const { record } = document;
      const isGlobal = document.document.global === true;
      if (isGlobal) record.id_project = INSTANCE;
      else if (record.id_project === INSTANCE) document.rejection = 'id_project: must be an id';
      record.enabled = true;
    }
  },
};
