/** Endpoints with which teammates, bots and subscriptions send individual emails. */
import { z } from 'zod';
import { sendTo, sendToLead } from '#shared/domain/notifications/manual-mails.ts';
import { truncatedText } from '#shared/wire/coercion.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { agentsAndPrograms } from '../http/auth/agents-and-programs.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import inboundEndpoints from './inbound-endpoints.ts';
import settingsEndpoints from './settings-endpoints.ts';

const errors = {
  403: 'The role is too low, or the sender has no verified email address (`EMAIL_UNVERIFIED`)',
  409: 'The address is blocked because an email to it bounced (`ADDRESS_BLOCKED`)',
};

const MailSubject = truncatedText(INPUT_LIMITS.name).nullish();
const MailText = z.string().min(1).max(INPUT_LIMITS.messageText);
const ReplyAddress = z.email().max(INPUT_LIMITS.email).nullish().meta({ description: 'Reply-To address' });

export default [
  ...inboundEndpoints,
  ...settingsEndpoints,
  endpoint({
    method: 'post',
    path: '/v3/:project_id/requests/:request_id/email/send',
    ...agentsAndPrograms,
    errors,
    summary: 'Send an email to the lead of a conversation. The reply is `no queued` if the lead has no email address',
    body: z.object({ text: MailText, subject: MailSubject, replyto: ReplyAddress }),
    reply: z.union([z.strictObject({ queued: z.literal(true) }), z.strictObject({ 'no queued': z.literal(true) })]),
    handle: async ({ project: id_project, params: { request_id }, body: { text, ...rest }, actor }) => {
      const queued = await sendToLead({ id_project, request_id }, { text, ...omitNullish(rest) }, actor);
      return queued ? { queued: true as const } : { 'no queued': true as const };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v3/:project_id/emails/internal/send',
    ...agentsAndPrograms,
    errors,
    summary: 'Send an email to an address, to a group (by name) or, if `to` starts with `@`, to the owners and admins',
    body: z.object({
      to: z.string().trim().min(1).max(INPUT_LIMITS.email),
      subject: MailSubject,
      text: MailText,
      replyto: ReplyAddress,
      request_id: z
        .string()
        .max(INPUT_LIMITS.conversationId)
        .nullish()
        .meta({ description: '`request_id` of the related conversation' }),
    }),
    reply: z.strictObject({ queued: z.literal(true) }),
    handle: async ({ project, body: { to, text, ...rest }, actor }) => {
      await sendTo(project, { to, text, ...omitNullish(rest) }, actor);
      return { queued: true as const };
    },
  }),
];
