/** The endpoint to which a mail server, or an inbound mail service, posts received emails. */
import { z } from 'zod';
import { config } from '#shared/config.ts';
import { receiveMail } from '#shared/domain/inbound-mails/receive-mail.ts';
import { jsonText } from '#shared/wire/coercion.ts';
import { agentsAndPrograms } from '../http/auth/agents-and-programs.ts';
import { endpoint } from '../http/endpoint.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

/** The points that a received email costs: reading and storing it takes as long as two calls. */
const MAIL_POINTS = 2;
/** The fields in which inbound mail services send the raw email. */
const RAW_MAIL_FIELDS = ['email', 'body-mime', 'message', 'RawEmail'] as const;

const Address = z.string().max(INPUT_LIMITS.email);
const Addresses = z.array(Address).max(INPUT_LIMITS.addresses);

const EnvelopeQuery = z.object({
  sender: Address.optional().meta({ description: 'Sender of the SMTP session (`MAIL FROM`)' }),
  recipient: z
    .string()
    .max(INPUT_LIMITS.conversationText)
    .optional()
    .meta({ description: 'Recipients of the SMTP session (`RCPT TO`), separated by commas' }),
  envelope: jsonText(INPUT_LIMITS.conversationText)
    .pipe(z.object({ from: Address.optional(), to: Addresses.optional() }))
    .optional()
    .meta({ description: 'Sender and recipients as JSON: `{"from": "…", "to": ["…"]}`' }),
});

const ReceivedMailView = z.strictObject({
  result: z.enum(['conversation', 'message', 'duplicate', 'returned', 'ignored']).meta({
    description:
      '`conversation`: the email opened a conversation. `message`: it was added to a conversation. `duplicate`: it had already been received. `returned`: it reports that an email of the project was not delivered. `ignored`: see `reason`',
  }),
  reason: z.enum(['automatic', 'own', 'banned']).optional().meta({
    description: '`automatic`: a program sent the email. `own`: this system sent it. `banned`: the sender is banned',
  }),
  request_id: z.string().optional(),
  message_id: z.string().optional(),
});

const addressesOf = ({ recipient = '', envelope }: z.output<typeof EnvelopeQuery>): string[] =>
  [...recipient.split(','), ...(envelope?.to ?? [])].map((address) => address.trim().toLowerCase()).filter(Boolean);

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/emails/inbound',
    ...agentsAndPrograms,
    summary: 'Turn a received email into a conversation, or into a message of the conversation that it answers',
    query: EnvelopeQuery,
    uploads: { type: 'message/rfc822', textFields: RAW_MAIL_FIELDS, maxBytes: config.INBOUND_MAIL_MAX_BYTES },
    points: MAIL_POINTS,
    reply: ReceivedMailView,
    errors: {
      413: 'The email is larger than `INBOUND_MAIL_MAX_BYTES` or, if it is sent as a string in JSON, the body is larger than `BULK_BODY_LIMIT`; or the messages of the conversation have reached their maximum total size',
      422: 'The body contains no email, or the email has no sender (`MAIL_WITHOUT_SENDER`), is malformed (`MAIL_MALFORMED`) or takes too long to read (`MAIL_TOO_COMPLEX`)',
    },
    handle: ({ project, upload, query }) => {
      const sender = query.sender ?? query.envelope?.from;
      return receiveMail(project, { ...(upload as Upload), sender, recipients: addressesOf(query) });
    },
  }),
];
