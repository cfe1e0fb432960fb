/** Reads emails as event payloads. */
import type { Types } from 'mongoose';
import type { z } from 'zod';
import { Mail, type MailEventView } from '../../models/mail.ts';

const MAIL_FIELDS = { id_project: 1, template: 1, to: 1, 'values.subject': 1, createdAt: 1 } as const;

type StoredMail = Omit<z.input<typeof MailEventView>, 'subject'> & {
  _id: Types.ObjectId;
  values?: { subject?: string };
};

/** Returns the emails with these keys that still exist, without their texts. */
export const readForEvents = async (keys: (Types.ObjectId | string)[]) => {
  const found = await Mail.find({ _id: { $in: keys } }, MAIL_FIELDS).lean<StoredMail[]>();
  return found.map(({ _id, values: { subject } = {}, ...mail }) => {
    return { key: _id, view: { _id, ...mail, ...(subject !== undefined && { subject }) } };
  });
};
