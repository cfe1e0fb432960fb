/** Who may have mails sent in the name of a project: people with a verified address. Without a mail server others may try it, in the outbox folder. */
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { teammates } from './recipients.ts';

/** Who writes: an account, or a program of the project. */
export interface Writer {
  kind: string;
  verified?: boolean;
}

const isTrusted = async (id_project: string, { kind, verified }: Writer): Promise<boolean> =>
  kind === 'user' ? verified === true : (await teammates(id_project, { roles: ['owner'] })).some((one) => one.verified);

/** True where the mail of an account may only go to the outbox folder: its address is not verified. */
export const isConfined = ({ verified }: { verified?: boolean }): boolean => !verified;

/** True for a writer whose mails may go nowhere now. */
export const isRefused = (writer: { verified?: boolean }): boolean => isConfined(writer) && Boolean(config.SMTP_URL);

/** Whether a mail by hand may only go to the outbox folder. Error: 403 for a writer nobody vouches for while there is a mail server. */
export const checkWriter = async (id_project: string, by: Writer): Promise<{ outbox: boolean }> => {
  const writer = { verified: await isTrusted(id_project, by) };
  if (!isRefused(writer)) return { outbox: isConfined(writer) };
  const whose = by.kind === 'user' ? 'your account' : "the project's owner";
  throw new AppError(
    403,
    'UNVERIFIED',
    `Mails are sent only for verified people: verify the e-mail address of ${whose} first`,
  );
};
