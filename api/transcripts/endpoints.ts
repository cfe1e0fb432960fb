/** Transcripts for whoever has a link (contract b 1.21, decision 39). */
import { z } from 'zod';
import { opened, PublicMessageView, said } from '#shared/domain/conversations/public-transcripts.ts';
import { zoneOf } from '#shared/domain/projects/zone.ts';
import { CSV } from '../http/csv.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { listing, paged, wantedOf } from '../messages/paging.ts';
import * as formats from './formats.ts';
import { Read, Signed } from './input.ts';
import { type Line, linesOf, someOf } from './lines.ts';
import links from './links.ts';
import { pdf } from './pdf.ts';

const ROOT = '/v3/public/requests/:request_id';

type Make = (lines: AsyncIterable<Line>, project: string) => AsyncIterable<string | Uint8Array>;

/** Media type, maker, and the name under which it is kept; without one it is shown. */
const FORMATS = {
  html: { type: 'text/html; charset=utf-8', make: formats.html as Make, nameOf: () => undefined },
  csv: { type: CSV, make: formats.csv as Make, nameOf: (request_id: string) => `${request_id}.csv` },
  txt: { type: 'text/plain; charset=utf-8', make: formats.txt as Make, nameOf: () => 'transcript.txt' },
  pdf: { type: 'application/pdf', make: pdf as Make, nameOf: (request_id: string) => `${request_id}.pdf` },
};
type Format = keyof typeof FORMATS;

const errors = { 403: 'The link has expired' };

/** What is said by the system stands in the whole text alone. */
const transcript = (of: 'messages' | 'messages-user', format: Format) => {
  const { type, make, nameOf } = FORMATS[format];
  const isText = format === 'txt';
  const kept = { system: isText && of === 'messages', opener: isText };
  return endpoint({
    method: 'get',
    path: `${ROOT}/${of}.${format}`,
    role: 'none',
    summary: `What was said in a conversation, as ${format}${of === 'messages' ? '' : '; 404 where nobody said anything'}`,
    query: Read,
    errors,
    downloads: type,
    reply: z.string(),
    handle: async ({ params: { request_id }, query: { tz, timezone, ...signed } }) => {
      const where = await opened(request_id, signed);
      const { messages, next } = await said(where, {});
      const zone = tz ?? timezone ?? (await zoneOf(where.id_project));
      const lines = linesOf(messages, { ...kept, isCut: next !== null }, zone);
      return new Download(make(of === 'messages' ? lines : someOf(lines), where.id_project), nameOf(request_id));
    },
  });
};

export default [
  ...links,
  endpoint({
    method: 'get',
    path: `${ROOT}/messages`,
    role: 'none',
    summary: 'The newest messages of a conversation in their order',
    query: Signed.extend(paged),
    errors,
    lists: true,
    reply: z.array(PublicMessageView),
    handle: async ({ params: { request_id }, query: { limit, cursor, ...signed } }) =>
      listing(await said(await opened(request_id, signed), wantedOf({ limit, cursor }))),
  }),
  ...(['messages', 'messages-user'] as const).flatMap((of) =>
    (Object.keys(FORMATS) as Format[]).map((format) => transcript(of, format)),
  ),
];
