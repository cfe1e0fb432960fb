/** Links to the transcripts of a conversation, for those who may pass them on. */
import { z } from 'zod';
import { sign } from '#shared/domain/conversations/public-transcripts.ts';
import { find } from '#shared/domain/conversations/requests.ts';
import { clientsUrl } from '#shared/mail/links.ts';
import { Time } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';

const NAMES = [
  'messages',
  'messages.html',
  'messages.csv',
  'messages.txt',
  'messages.pdf',
  'messages-user.html',
] as const;

const linksTo = (where: { id_project: string; request_id: string }) => {
  const { project, expires, signature } = sign(where);
  const query = String(new URLSearchParams({ project, expires: String(expires), signature }));
  const root = `${clientsUrl().replace(/\/$/, '')}/v3/public/requests/${encodeURIComponent(where.request_id)}`;
  return {
    expiresAt: new Date(expires * 1000),
    links: Object.fromEntries(NAMES.map((name) => [name, `${root}/${name}?${query}`])),
  };
};

export default [
  endpoint({
    method: 'get',
    path: '/v3/:project_id/requests/:request_id/transcript-link',
    role: 'agent',
    bots: true,
    summary: 'Links to the transcripts of a conversation, valid for a while without credentials',
    reply: z.strictObject({
      expiresAt: Time,
      links: z.record(z.string(), z.url()).meta({ description: 'By format; the query of any holds for all of them' }),
    }),
    handle: async ({ project: id_project, params: { request_id } }) => {
      await find({ id_project, request_id });
      return linksTo({ id_project, request_id });
    },
  }),
];
