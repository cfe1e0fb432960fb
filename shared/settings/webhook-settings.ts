/** The settings of webhooks, a part of the schema in config.ts. */
import { positiveInteger, seconds } from './setting-types.ts';

export const webhookSettings = {
  WEBHOOK_TIMEOUT_SECONDS: seconds.default(10).describe('Timeout of one attempt to deliver an event, in seconds'),
  WEBHOOK_ATTEMPTS: positiveInteger
    .default(8)
    .describe('Minimum number of attempts before a failing delivery is given up; see `WEBHOOK_RETRY_SECONDS`'),
  WEBHOOK_RETRY_SECONDS: seconds
    .default(86_400)
    .describe(
      'Seconds from the creation or last replay of a failing delivery until it is given up, provided that `WEBHOOK_ATTEMPTS` attempts have failed',
    ),
  WEBHOOK_FIRST_RETRY_SECONDS: seconds
    .default(5)
    .describe(
      'Maximum delay of the first retry of a delivery, in seconds; for each further retry, the maximum is four times as long',
    ),
  WEBHOOK_MAX_RETRY_DELAY_SECONDS: seconds.default(3600).describe('Maximum delay of a retry, in seconds'),
  WEBHOOK_DISABLE_AFTER_SECONDS: seconds
    .default(5 * 86_400)
    .describe(
      'Seconds after the first failed or rejected attempt since the last success; the next such attempt after this time disables the subscription',
    ),
  WEBHOOK_SECRET_OVERLAP_SECONDS: seconds
    .default(86_400)
    .describe('Seconds during which deliveries are also signed with the previous secret of a subscription'),
  WEBHOOK_LOG_TTL_SECONDS: seconds
    .default(7 * 86_400)
    .describe('Retention of deliveries and of their attempts, in seconds'),
};
