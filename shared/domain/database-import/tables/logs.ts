/** Custom events and activities, which expire. */
import { z } from 'zod';
import { config } from '../../../config.ts';
import { Activity } from '../../../models/activity.ts';
import { CustomEvent } from '../../../models/custom-event.ts';
import {
  authoredFields,
  type Fields,
  id,
  list,
  nonEmptyText,
  object,
  optional,
  projectFields,
  text,
  withDefault,
} from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

const expiresAfter =
  (seconds: number) =>
  ({ createdAt }: Fields): Date =>
    new Date((createdAt as Date).getTime() + seconds * 1000);

/** Custom events. */
export const customEvents: ImportTable = {
  model: CustomEvent,
  sources: ['events'],
  fields: z.object({
    ...authoredFields,
    name: nonEmptyText(),
    attributes: optional(object()),
    project_user: optional(id()),
    status: withDefault(text(), 'stardard'),
  }),
  expiresAt: expiresAfter(config.EVENT_TTL_SECONDS),
};

const person = { type: nonEmptyText(), id: nonEmptyText(), name: optional(text()) };

/** Activities. */
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
