/** Mails that teammates and programs write by hand (contract b 1.19, d D.4). */
import { z } from 'zod';
import { cut } from '#shared/lenient.ts';
import { writeTo, writeToLead } from '#shared/domain/mails/direct.ts';
import { endpoint } from '../http/endpoint.ts';
import { given } from '../http/given.ts';
import { LIMITS } from '../limits.ts';

const forTeam = { role: 'agent', bots: true } as const;

const errors = { 403: 'The role is too low, or the writer has no verified e-mail address (`UNVERIFIED`)' };

const Subject = cut(LIMITS.name).nullish();
const Text = z.string().min(1).max(LIMITS.messageText);
const ReplyTo = z.email().max(LIMITS.email).nullish().meta({ description: 'Where answers go' });

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/requests/:request_id/email/send',
    ...forTeam,
    errors,
    summary: 'Write a mail to the lead of a conversation',
    body: z.object({ text: Text, subject: Subject, replyto: ReplyTo }),
    reply: z.union([z.strictObject({ queued: z.literal(true) }), z.strictObject({ 'no queued': z.literal(true) })]),
    handle: async ({ project: id_project, params: { request_id }, body: { text, ...more }, actor }) => {
      const queued = await writeToLead({ id_project, request_id }, { text, ...given(more) }, actor);
      return queued ? { queued: true as const } : { 'no queued': true as const };
    },
  }),
  endpoint({
    method: 'post',
    path: '/v3/:project_id/emails/internal/send',
    ...forTeam,
    errors,
    summary: 'Write a mail to an address, to a group by its name, or to owners and admins by `@`',
    body: z.object({
      to: z.string().trim().min(1).max(LIMITS.email),
      subject: Subject,
      text: Text,
      replyto: ReplyTo,
      request_id: z.string().max(LIMITS.requestId).nullish().meta({ description: 'The conversation that it is about' }),
    }),
    reply: z.strictObject({ queued: z.literal(true) }),
    handle: async ({ project, body: { to, text, ...more }, actor }) => {
      await writeTo(project, { to, text, ...given(more) }, actor);
      return { queued: true as const };
    },
  }),
];
