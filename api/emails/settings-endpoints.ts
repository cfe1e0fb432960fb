/** Endpoints for the email settings of a project: a test of its SMTP server, templates, and blocked addresses. */
import { z } from 'zod';
import { lift, list } from '#shared/domain/mails/blocked-addresses.ts';
import { builtInTemplate } from '#shared/domain/mails/own-templates.ts';
import { sendTestMail } from '#shared/domain/notifications/test-mail.ts';
import { notFound } from '#shared/errors.ts';
import { EDITABLE_TEMPLATES } from '#shared/mail/default-templates.ts';
import { MailBlockView } from '#shared/models/mail-block.ts';
import { flag, integer } from '#shared/wire/coercion.ts';
import { agentsAndPrograms } from '../http/auth/agents-and-programs.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/emails';
const MAX_PAGE = 10_000;
const MAX_PAGE_SIZE = 100;

const ServerText = z.string().max(INPUT_LIMITS.settingText).nullish();

const TestServer = z
  .object({
    host: ServerText,
    port: integer(1, 65_535).nullish(),
    secure: flag().nullish(),
    user: ServerText,
    pass: ServerText,
  })
  .meta({ description: 'SMTP server to test. Default: the server in `settings.email.config`' });

const TestReply = z.strictObject({
  error: z
    .strictObject({ code: z.string(), message: z.string(), responseCode: z.number().optional() })
    .nullable()
    .meta({ description: 'Why the email was not sent' }),
  response: z
    .strictObject({
      accepted: z.array(z.string()),
      rejected: z.array(z.string()),
      response: z.string(),
      messageId: z.string(),
    })
    .nullable()
    .meta({ description: 'Response of the server' }),
});

export default [
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/test/send`,
    ...agentsAndPrograms,
    errors: {
      403: 'The role is too low, or the sender has no verified email address (`EMAIL_UNVERIFIED`)',
    },
    points: 5,
    summary: 'Send a test email through an SMTP server and return the response of the server',
    body: z.object({ to: z.email().max(INPUT_LIMITS.email), config: TestServer.nullish() }),
    reply: TestReply,
    handle: ({ project, body: { to, config }, actor }) =>
      sendTestMail(project, { to, config: config ?? undefined }, actor),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/templates/:key`,
    ...agentsAndPrograms,
    summary: `Get the built-in HTML, with Handlebars expressions, of one of these email templates: ${EDITABLE_TEMPLATES.join(', ')}`,
    reply: z.strictObject({ template: z.string() }),
    handle: async ({ params: { key } }) => {
      const template = builtInTemplate(key);
      if (template === undefined)
        throw notFound(`Template not found; the templates are ${EDITABLE_TEMPLATES.join(', ')}`);
      return { template };
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/blocked`,
    ...agentsAndPrograms,
    summary:
      'List the blocked addresses, newest first. An email to each of them bounced, so no more emails are sent to them',
    query: z.object({
      page: integer(0, MAX_PAGE).default(0).meta({ description: 'Page number, starting at 0' }),
      limit: integer(1, MAX_PAGE_SIZE).default(MAX_PAGE_SIZE).meta({ description: 'Maximum number of addresses' }),
    }),
    reply: z.array(MailBlockView),
    handle: ({ project, query: { page, limit } }) => list(project, { skip: page * limit, limit }),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/blocked/:block_id`,
    record: { collection: 'mail_blocks', parameter: 'block_id' },
    ...agentsAndPrograms,
    summary: 'Unblock an address, so that emails can be sent to it again',
    reply: MailBlockView,
    handle: ({ project, params: { block_id } }) => lift(project, block_id),
  }),
];
