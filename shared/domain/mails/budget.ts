/**
 * Mail budgets. Each project has an hourly budget (`PROJECT_MAILS_PER_HOUR`) and a daily budget
 * (`PROJECT_MAILS_PER_DAY`) for all of its emails. Each recipient has an hourly budget for the automatic emails of each
 * template.
 */
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { logger } from '../../logger.ts';
import { type HourAndDay, secondsToNextPeriod, spendByHour, spendInBatch } from '../../budgets/budgets.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** Maximum number of automatic emails per hour that one recipient receives from one template. */
export const MAX_MAILS_PER_RECIPIENT_PER_HOUR = 30;

/** The budgets of a project, shortest period first. One record holds the sums of both. */
const PROJECT_BUDGETS = [
  { period: 'hour', seconds: HOUR_SECONDS, setting: 'PROJECT_MAILS_PER_HOUR' },
  { period: 'day', seconds: DAY_SECONDS, setting: 'PROJECT_MAILS_PER_DAY' },
] as const;

type ProjectMailBudget = (typeof PROJECT_BUDGETS)[number];

/** The name of the record with both sums. */
const PROJECT_SUM = 'mails';

/** Adds emails to the hourly and the daily sum of the project, and returns both; a negative number is a refund. */
const spendMails = (id_project: string, mails: number): Promise<HourAndDay> =>
  spendByHour(id_project, PROJECT_SUM, mails);

const recipientBudget = (id_project: string, { template, to }: TemplateRecipient) => ({
  id_project,
  name: `mails ${template} ${to}`,
  seconds: HOUR_SECONDS,
});

interface TemplateRecipient {
  template: string;
  to: string;
}

const budgetExhausted = ({ seconds, setting }: ProjectMailBudget): AppError => {
  const wait = secondsToNextPeriod(seconds);
  const period = seconds === HOUR_SECONDS ? 'hourly' : 'daily';
  const message = `${setting}: the ${period} budget of ${config[setting]} emails is used up; try again in ${wait} s`;
  return new AppError(429, 'MAIL_BUDGET_EXHAUSTED', message).retryAfter(wait);
};

/**
 * Charges the project's budgets for emails that a person or program sends. Errors: 429 if a budget does not cover all
 * of the emails; in that case no budget is charged.
 */
export const chargeMails = async (id_project: string, mails: number): Promise<void> => {
  const sums = await spendMails(id_project, mails);
  const exceeded = PROJECT_BUDGETS.find(({ period, setting }) => sums[period] > config[setting]);
  if (!exceeded) return;
  await spendMails(id_project, -mails);
  throw budgetExhausted(exceeded);
};

/**
 * Charges an automatic email to the hourly budget of its recipient. Returns false if the email exceeds the budget; logs
 * the first such email of the hour.
 */
export const chargeRecipient = async (id_project: string, { template, to }: TemplateRecipient): Promise<boolean> => {
  const sum = await spendInBatch(recipientBudget(id_project, { template, to }), 1);
  if (sum === MAX_MAILS_PER_RECIPIENT_PER_HOUR + 1)
    logger.warn(
      { project: id_project, template },
      'email limit of a recipient reached: emails of this template are dropped until the next hour',
    );
  return sum <= MAX_MAILS_PER_RECIPIENT_PER_HOUR;
};

/**
 * Charges an automatic email to the project's budgets. Returns the setting of a budget that it exceeds, or null; logs
 * the first such email of a period. An email that exceeds the hourly budget is not charged to the daily one.
 */
export const chargeProject = async (id_project: string): Promise<ProjectMailBudget['setting'] | null> => {
  const sums = await spendMails(id_project, 1);
  const exceeded = PROJECT_BUDGETS.find(({ period, setting }) => sums[period] > config[setting]);
  if (!exceeded) return null;
  const { period, setting } = exceeded;
  if (sums[period] === config[setting] + 1)
    logger.warn(
      { project: id_project, limit: config[setting] },
      `${setting} is exhausted: automatic emails are dropped until the next period`,
    );
  if (period === 'hour') await spendInBatch({ id_project, name: PROJECT_SUM, seconds: DAY_SECONDS }, -1);
  return setting;
};

/** Credits the project's budgets with emails that were charged but not stored. */
export const refundProject = async (id_project: string, mails: number): Promise<void> => {
  await spendMails(id_project, -mails);
};

/**
 * Charges the project's budgets for one email and calls `store`, which stores the email and returns the ids of its
 * records. Refunds the charge if `store` throws, or stores no email because an earlier attempt has stored and charged
 * it. Throws the errors of `chargeMails` and of `store`.
 */
export const storeWithinBudget = async <T extends { mailIds: string[] }>(
  id_project: string,
  store: () => Promise<T>,
): Promise<T> => {
  await chargeMails(id_project, 1);
  let isStored = false;
  try {
    const stored = await store();
    isStored = stored.mailIds.length > 0;
    return stored;
  } finally {
    if (!isStored) await refundProject(id_project, 1);
  }
};

/** Credits the hourly budget of a recipient with an email that an earlier attempt has already stored and charged. */
export const refundRecipient = async (id_project: string, mail: TemplateRecipient): Promise<void> => {
  await spendInBatch(recipientBudget(id_project, mail), -1);
};
