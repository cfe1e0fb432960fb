/** Imports projects with their keys. */
import { Project } from '../../../models/project.ts';
import { ProjectKey } from '../../../models/project-key.ts';
import { sanitizeHtml } from '../../../security/sanitize-html.ts';
import { encryptPassword } from '../../mails/sender-settings.ts';
import {
  type Fields,
  flag,
  instanceFields,
  list,
  nonEmptyText,
  number,
  object,
  optional,
  text,
  withDefault,
} from '../fields.ts';
import type { ImportedDocument, ImportTable } from '../import-table.ts';
import { z } from 'zod';

const bannedUser = z.object({ _id: optional(text()), id: nonEmptyText(), ip: optional(text()) });

interface EmailSettings {
  config?: Fields;
}

/** Moves the password of the mail server from the project's settings to an encrypted field. */
const moveMailPassword = ({ record }: ImportedDocument): void => {
  const { email } = record.settings as { email?: EmailSettings };
  if (!email?.config || !('pass' in email.config)) return;
  const { pass, ...server } = email.config;
  record.settings = { ...(record.settings as Fields), email: { ...email, config: server } };
  if (typeof pass === 'string' && pass) record.smtpPassword = encryptPassword(record._id as string, pass);
};

const sanitizeWidget = ({ record, adjustments }: ImportedDocument): void => {
  const widget = record.widget as { poweredBy?: unknown } | undefined;
  if (widget?.poweredBy === undefined) return;
  const poweredBy = sanitizeHtml(String(widget.poweredBy));
  if (poweredBy !== widget.poweredBy) adjustments.push('widget.poweredBy: unsafe HTML was removed');
  record.widget = { ...widget, poweredBy };
};

/** Stores the shared secret of the project as its current key, so that tokens signed with it stay valid. */
const addKey = ({ document, record, related }: ImportedDocument): void => {
  const { jwtSecret } = document;
  if (typeof jwtSecret !== 'string' || !jwtSecret) return;
  const { _id, createdBy, createdAt, updatedAt } = record;
  const key = { _id, id_project: _id, secret: jwtSecret, createdBy, createdAt, updatedAt, __v: 0 };
  related.push({ model: ProjectKey, record: key });
};

/** Projects with their settings, and their shared secrets. */
export const projects: ImportTable = {
  model: Project,
  sources: ['projects'],
  fields: z.object({
    ...instanceFields,
    name: nonEmptyText(),
    status: withDefault(number(), 100),
    activeOperatingHours: withDefault(flag(), false),
    operatingHours: optional(text()),
    timeSlots: optional(object()),
    settings: withDefault(object(), {}),
    widget: optional(object()),
    attributes: optional(object()),
    profile: withDefault(object(), { name: 'Custom', type: 'free', trialDays: 14, agents: 0 }),
    channels: withDefault(z.array(z.object({ name: text() })), [{ name: 'chat21' }]),
    versions: withDefault(number(), 20_115),
    ipFilterEnabled: withDefault(flag(), false),
    ipFilter: list(text()),
    ipFilterDenyEnabled: withDefault(flag(), false),
    ipFilterDeny: list(text()),
    bannedUsers: list(bannedUser),
    createdBy: withDefault(text(), 'system'),
  }),
  replaced: {
    jwtSecret: 'stored as a key of the project',
    publicKey: 'not used',
    privateKey: 'not used',
    trialExpired: 'computed',
    trialDaysLeft: 'computed',
    isActiveSubscription: 'computed',
  },
  complete: (batch) => {
    for (const project of batch) {
      moveMailPassword(project);
      sanitizeWidget(project);
      addKey(project);
    }
  },
};
