import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import { config } from '#shared/config.ts';
import { FreeObject } from '#shared/view.ts';
import { LIMITS } from '../limits.ts';

/** An e-mail address. */
export const Email = z.email().max(LIMITS.email).toLowerCase().meta({ description: 'Kept in lower case' });

/** First or last name of a person. */
export const Name = z.string().trim().min(1).max(LIMITS.personName);

/** A phone number. */
export const Phone = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/, 'must be a phone number in E.164, such as +390612345678')
  .meta({ description: 'E.164' });

/** A password that is chosen. */
export const NewPassword = z.string().min(config.PASSWORD_MIN_LENGTH).max(LIMITS.password);

const Text = z.string().trim().max(LIMITS.settingText);

/** What somebody may say of itself; what is absent or null stays (contract a 5.2). */
export const ProfileInput = z
  .object({
    firstname: Name.nullable(),
    lastname: Name.nullable(),
    attributes: FreeObject.nullable().meta({ description: 'Replace those before' }),
    description: Text.nullable(),
    public_email: Email.nullable(),
    public_website: z
      .url({ protocol: /^https?$/ })
      .max(LIMITS.settingText)
      .nullable(),
    phone: Phone.nullable(),
  })
  .partial();

/** Body of a change of password. */
export const PasswordInput = z.object({ oldpsw: z.string().min(1).max(LIMITS.password), newpsw: NewPassword });

const RecordId = z.string().min(1).max(LIMITS.name);

/** Where to go on from another device: a bot or a knowledge base of a project. */
export const DesktopInput = z
  .object({ id_project: RecordId, bot_id: RecordId.optional(), namespace_id: RecordId.optional() })
  .refine(({ bot_id, namespace_id }) => bot_id || namespace_id, {
    path: ['bot_id'],
    message: 'is required where namespace_id is absent',
  });

/** Body of sign-up (contract a 3.2, decision 37). */
export const SignUpInput = z.object({
  email: Email,
  password: NewPassword,
  firstname: Name,
  lastname: Name,
  phone: Phone.optional(),
  invitation: z
    .string()
    .max(LIMITS.name)
    .optional()
    .meta({ description: 'The last part of the link in the mail of an invitation; it proves the address' }),
  disableEmail: flag().default(false).meta({ description: '`true`: no mail to confirm the address' }),
});
