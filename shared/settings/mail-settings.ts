/** The settings of emails, a part of the schema in config.ts. */
import { commaList, emailAddress, flag, projectDomain, mailSender, positiveInteger, smtpUrl } from './setting-types.ts';

export const mailSettings = {
  SMTP_URL: smtpUrl.optional().describe('SMTP server. Default: emails are written to `DATA_DIR/outbox`'),
  PROJECT_MAILS_PER_HOUR: positiveInteger
    .default(500)
    .describe(
      'Emails that a project may send per hour; further manual emails are rejected, and further automatic emails are dropped',
    ),
  PROJECT_MAILS_PER_DAY: positiveInteger
    .default(5000)
    .describe(
      'Emails that a project may send per day (UTC); further emails are rejected or dropped, as with `PROJECT_MAILS_PER_HOUR`',
    ),
  EMAIL_NOTIFICATION_ENABLED: flag
    .default(true)
    .describe('Send emails about conversations that are assigned, waiting, or answered while the visitor is offline'),
  MAIL_FROM: mailSender
    .optional()
    .describe('Sender of emails. Default: `no-reply@` followed by the host of `PUBLIC_URL`'),
  MAIL_SENDER_DOMAINS: commaList
    .default([])
    .describe(
      'Comma-separated domains of sender addresses that projects may use when they send through the server in `SMTP_URL`; `*`: any. A project with its own SMTP server may use any address there. Default: none; the address of the project becomes the Reply-To',
    ),
  EMAIL_BCC: emailAddress
    .optional()
    .describe(
      'Address that receives a copy of emails about conversations and changed passwords, and of invitations to people with an account',
    ),
  EMAIL_INBOUND_DOMAIN: projectDomain
    .optional()
    .describe(
      'Domain whose emails reach `POST /v3/:project_id/emails/inbound`; emails to leads then have a Reply-To address in it. If the first label is `*`, the project id replaces it. Default: replies go to the sender',
    ),
  INBOUND_MAIL_MAX_BYTES: positiveInteger.default(26_214_400).describe('Maximum size of a received email, in bytes'),
};
