/** The mails that a project may write in an hour, over all templates (PROJECT_MAILS_PER_HOUR). */
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { secondsToNext, spend } from '../projects/budgets.ts';

const HOUR = 3600;

/** Mails an hour of one template that a project sends to one teammate, or anybody to one lead. */
export const MOST_TO_ONE = 30;

const purse = (id_project: string) => ({ id_project, name: 'mails', seconds: HOUR });
const purseOf = (id_project: string, { template, to }: Addressed) => ({
  id_project,
  name: `mails ${template} ${to}`,
  seconds: HOUR,
});

/** A kind of mail to somebody. */
interface Addressed {
  template: string;
  to: string;
}

const spent = (): AppError => {
  const wait = secondsToNext(HOUR);
  const message = `The project has written as many mails as it may in an hour (${config.PROJECT_MAILS_PER_HOUR}, the setting PROJECT_MAILS_PER_HOUR); try again in ${wait} s`;
  return new AppError(429, 'MAILS_SPENT', message).with({
    body: { retry_after: wait },
    headers: { 'Retry-After': String(wait) },
  });
};

/** Count mails that somebody asks for: all of them, or none and 429. */
export const mustAfford = async (id_project: string, mails: number): Promise<void> => {
  if ((await spend(purse(id_project), mails)) <= config.PROJECT_MAILS_PER_HOUR) return;
  await giveBack(id_project, mails);
  throw spent();
};

/** Count an automatic mail to a teammate; false for one too many within the hour. The first one of these is logged. */
export const accepts = async (id_project: string, { template, to }: Addressed): Promise<boolean> => {
  const sum = await spend(purseOf(id_project, { template, to }), 1);
  if (sum === MOST_TO_ONE + 1)
    logger.warn({ project: id_project, template }, 'a teammate is sent no more mails of this kind in this hour');
  return sum <= MOST_TO_ONE;
};

/** Count an automatic mail; false for one that is to be dropped. The first one of the hour is logged. */
export const affords = async (id_project: string): Promise<boolean> => {
  const most = config.PROJECT_MAILS_PER_HOUR;
  const sum = await spend(purse(id_project), 1);
  if (sum === most + 1)
    logger.warn({ project: id_project, most }, 'PROJECT_MAILS_PER_HOUR is spent: automatic mails are dropped');
  return sum <= most;
};

/** Give back what was counted for mails that were not written. */
export const giveBack = async (id_project: string, mails: number): Promise<void> => {
  await spend(purse(id_project), -mails);
};

/** Give back what was counted for a mail to a teammate that was written before. */
export const giveBackTo = async (id_project: string, mail: Addressed): Promise<void> => {
  await spend(purseOf(id_project, mail), -1);
};
