/** Imports activities. */
import { z } from 'zod';
import { config } from '../../../config.ts';
import { Activity } from '../../../models/activity.ts';
import { list, nonEmptyText, object, optional, projectFields, text, withDefault } from '../fields.ts';
import { expiresAfter } from './expiry.ts';
import type { ImportTable } from '../import-table.ts';

const person = { type: nonEmptyText(), id: nonEmptyText(), name: optional(text()) };

export const activities: ImportTable = {
  model: Activity,
  sources: ['activities'],
  fields: z.object({
    ...projectFields,
    actor: z.object(person),
    verb: nonEmptyText(),
    actionObj: withDefault(object(), {}),
    target: z.object({ type: nonEmptyText(), id: nonEmptyText(), object: withDefault(object(), {}) }),
    related: optional(z.object({ ...person, role: withDefault(text(), 'participant') })),
    involvedUserIds: list(text()),
  }),
  replaced: { message: 'computed' },
  expiresAt: expiresAfter(config.ACTIVITY_TTL_SECONDS),
};
