/**
 * Hourly mail budgets: one for each project over all templates (`PROJECT_MAILS_PER_HOUR`), and one for each template
 * and recipient.
 */
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { charge, secondsToNextPeriod, spend } from '../../budgets/budgets.ts';

const HOUR_SECONDS = 3600;

/** Maximum number of automatic mails per hour that one recipient gets from one template. */
export const MAX_MAILS_PER_RECIPIENT_PER_HOUR = 30;

const projectBudget = (id_project: string) => ({ id_project, name: 'mails', seconds: HOUR_SECONDS });
const recipientBudget = (id_project: string, { template, to }: TemplateRecipient) => ({
  id_project,
  name: `mails ${template} ${to}`,
  seconds: HOUR_SECONDS,
});

/** A template and a recipient. */
interface TemplateRecipient {
  template: string;
  to: string;
}

const budgetExhausted = (): AppError => {
  const wait = secondsToNextPeriod(HOUR_SECONDS);
  const limit = config.PROJECT_MAILS_PER_HOUR;
  const message = `PROJECT_MAILS_PER_HOUR: the hourly budget of ${limit} mails is used up; try again in ${wait} s`;
  return new AppError(429, 'MAIL_BUDGET_EXHAUSTED', message).retryAfter(wait);
};

/**
 * Charges requested mails to the project's budget. Errors: 429 if the budget does not cover all; none is then charged.
 */
export const chargeMails = async (id_project: string, mails: number): Promise<void> => {
  if (!(await charge(projectBudget(id_project), mails, config.PROJECT_MAILS_PER_HOUR))) throw budgetExhausted();
};

/**
 * Charges an automatic mail to the hourly limit of its recipient. Returns false if that exceeds the limit; logs the
 * first such mail of the hour.
 */
export const chargeRecipient = async (id_project: string, { template, to }: TemplateRecipient): Promise<boolean> => {
  const sum = await spend(recipientBudget(id_project, { template, to }), 1);
  if (sum === MAX_MAILS_PER_RECIPIENT_PER_HOUR + 1)
    logger.warn(
      { project: id_project, template },
      'mail limit of a recipient reached: mails of this template are dropped until the next hour',
    );
  return sum <= MAX_MAILS_PER_RECIPIENT_PER_HOUR;
};

/**
 * Charges an automatic mail to the project's budget. Returns false if that exceeds the budget; logs the first such mail
 * of the hour.
 */
export const chargeProject = async (id_project: string): Promise<boolean> => {
  const limit = config.PROJECT_MAILS_PER_HOUR;
  const sum = await spend(projectBudget(id_project), 1);
  if (sum === limit + 1)
    logger.warn(
      { project: id_project, limit },
      'PROJECT_MAILS_PER_HOUR is exhausted: automatic mails are dropped until the next hour',
    );
  return sum <= limit;
};

/** Refunds mails to the project's budget; for mails that were charged but not stored. */
export const refundProject = async (id_project: string, mails: number): Promise<void> => {
  await spend(projectBudget(id_project), -mails);
};

/** Refunds a mail to the hourly limit of its recipient; for a mail that an earlier attempt has stored and charged. */
export const refundRecipient = async (id_project: string, mail: TemplateRecipient): Promise<void> => {
  await spend(recipientBudget(id_project, mail), -1);
};
