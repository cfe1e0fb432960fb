/** The endpoint that signs links to the transcripts of a conversation. */
import { z } from 'zod';
import { find } from '#shared/domain/conversations/conversation.ts';
import { sign } from '#shared/domain/conversations/transcripts/public-transcripts.ts';
import { publicUrl } from '#shared/mail/links.ts';
import { Time } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';

const TRANSCRIPT_NAMES = [
  'messages',
  'messages.html',
  'messages.csv',
  'messages.txt',
  'messages.pdf',
  'messages-user.html',
] as const;

const transcriptLinks = (conversation: { id_project: string; request_id: string }) => {
  const { project, expires, signature } = sign(conversation);
  const query = String(new URLSearchParams({ project, expires: String(expires), signature }));
  const root = `${publicUrl().replace(/\/$/, '')}/v3/public/requests/${encodeURIComponent(conversation.request_id)}`;
  return {
    expiresAt: new Date(expires * 1000),
    links: Object.fromEntries(TRANSCRIPT_NAMES.map((name) => [name, `${root}/${name}?${query}`])),
  };
};

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/:request_id/transcript-link',
    role: 'agent',
    programs: 'all',
    summary: 'Create temporary links to the transcripts of a conversation. The links work without credentials',
    reply: z.strictObject({
      expiresAt: Time,
      links: z.record(z.string(), z.url()).meta({ description: 'Links by file name; all have the same query string' }),
    }),
    handle: async ({ project: id_project, params: { request_id } }) => {
      await find({ id_project, request_id });
      return transcriptLinks({ id_project, request_id });
    },
  }),
];
