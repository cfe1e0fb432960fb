/** Errors of the account endpoints. Their bodies repeat the text as `message`, which deployed clients read. */
import { AppError } from '../../errors.ts';

/** Builds an error of an account endpoint. */
export const accountError = (status: number, code: string, text: string) =>
  new AppError(status, code, text).with({ body: { message: text } });

/** Builds the 403 for a phone number that another account has. */
export const phoneTakenError = () =>
  accountError(403, 'PHONE_TAKEN', 'An account with this phone number already exists');
