/** Schemas of accounts: profile, password and sign-up. */
import { z } from 'zod';
import { config } from '#shared/config.ts';
import { flag } from '#shared/wire/coercion.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

/** An email address. */
export const Email = z.email().max(INPUT_LIMITS.email).toLowerCase().meta({ description: 'Stored in lower case' });

/** First or last name of a person. */
export const PersonName = z.string().trim().min(1).max(INPUT_LIMITS.personName);

/** A phone number. */
export const PhoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{1,14}$/, 'must be a phone number in E.164 format, such as +390612345678')
  .meta({ description: 'In E.164 format' });

/** A new password. */
export const NewPassword = z.string().min(config.PASSWORD_MIN_LENGTH).max(INPUT_LIMITS.password);

const ProfileText = z.string().trim().max(INPUT_LIMITS.settingText);

/** Request body for a profile update; absent and null fields are unchanged. */
export const ProfileInput = z
  .object({
    firstname: PersonName.nullable(),
    lastname: PersonName.nullable(),
    attributes: FreeObject.nullable().meta({ description: 'Replaces all attributes' }),
    description: ProfileText.nullable(),
    public_email: Email.nullable(),
    public_website: z
      .url({ protocol: /^https?$/ })
      .max(INPUT_LIMITS.settingText)
      .nullable(),
    phone: PhoneNumber.nullable(),
  })
  .partial();

/** Request body for a password change. */
export const PasswordInput = z.object({ oldpsw: z.string().min(1).max(INPUT_LIMITS.password), newpsw: NewPassword });

const RecordId = z.string().min(1).max(INPUT_LIMITS.name);

/** Target of a sign-in link for another device: a bot or a knowledge base of a project. */
export const DeviceLinkInput = z
  .object({ id_project: RecordId, bot_id: RecordId.optional(), namespace_id: RecordId.optional() })
  .refine(({ bot_id, namespace_id }) => bot_id || namespace_id, {
    path: ['bot_id'],
    message: 'is required if namespace_id is absent',
  });

/** Request body for sign-up. */
export const SignUpInput = z.object({
  email: Email,
  password: NewPassword,
  firstname: PersonName,
  lastname: PersonName,
  phone: PhoneNumber.optional(),
  invitation: z
    .string()
    .max(INPUT_LIMITS.name)
    .optional()
    .meta({ description: 'Last segment of the link in the invitation email; also verifies the email address' }),
  disableEmail: flag().default(false).meta({ description: '`true`: do not send the verification email' }),
});
