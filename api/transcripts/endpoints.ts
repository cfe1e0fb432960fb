/** Transcript endpoints for holders of a signed link. */
import { z } from 'zod';
import {
  findReadable,
  PublicMessageView,
  publicMessages,
} from '#shared/domain/conversations/transcripts/public-transcripts.ts';
import { timeZoneOf } from '#shared/domain/availability/operating-hours.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import { CSV_MEDIA_TYPE } from '../http/response/csv.ts';
import { messagePagingQuery, toListing, toPageRequest } from '../messages/message-paging.ts';
import * as formats from './formats.ts';
import { SignedLinkQuery, TranscriptQuery } from './input.ts';
import links from './link-endpoints.ts';
import { pdf } from './pdf.ts';
import { requireLines, type TranscriptLine, toTranscriptLines } from './transcript-lines.ts';

const BASE_PATH = '/v3/public/requests/:request_id';

type TranscriptFormatter = (
  lines: AsyncIterable<TranscriptLine>,
  project: string,
) => AsyncIterable<string | Uint8Array>;

/** Media type, formatter and download name of each format. Browsers display a format without a download name. */
const FORMATS = {
  html: { type: 'text/html; charset=utf-8', formatLines: formats.html as TranscriptFormatter, nameOf: () => undefined },
  csv: {
    type: CSV_MEDIA_TYPE,
    formatLines: formats.csv as TranscriptFormatter,
    nameOf: (request_id: string) => `${request_id}.csv`,
  },
  txt: {
    type: 'text/plain; charset=utf-8',
    formatLines: formats.txt as TranscriptFormatter,
    nameOf: () => 'transcript.txt',
  },
  pdf: {
    type: 'application/pdf',
    formatLines: pdf as TranscriptFormatter,
    nameOf: (request_id: string) => `${request_id}.pdf`,
  },
};
type Format = keyof typeof FORMATS;

const errors = { 403: 'The link has expired' };

/** Declares the endpoint of a transcript in one format. Only the text format of `messages` includes system messages. */
const transcriptEndpoint = (transcript: 'messages' | 'messages-user', format: Format) => {
  const { type, formatLines, nameOf } = FORMATS[format];
  const isText = format === 'txt';
  const selection = { includesSystem: isText && transcript === 'messages', includesOpener: isText };
  const styles = format === 'html' ? formats.HTML_STYLES : undefined;
  return endpoint({
    method: 'get',
    path: `${BASE_PATH}/${transcript}.${format}`,
    role: 'none',
    summary: `Get the transcript of a conversation as ${format}${transcript === 'messages' ? '' : '; 404 if the transcript has no messages'}`,
    query: TranscriptQuery,
    errors,
    downloads: type,
    reply: z.string(),
    handle: async ({ params: { request_id }, query: { tz, timezone, ...signed } }) => {
      const conversation = await findReadable(request_id, signed);
      const { messages, next } = await publicMessages(conversation, {});
      const zone = tz ?? timezone ?? (await timeZoneOf(conversation.id_project));
      const lines = toTranscriptLines(messages, { ...selection, isCut: next !== null }, zone);
      const content = formatLines(transcript === 'messages' ? lines : requireLines(lines), conversation.id_project);
      return new Download(content, nameOf(request_id), styles);
    },
  });
};

export default [
  ...links,
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/messages`,
    role: 'none',
    summary: 'List the newest messages of a conversation in chronological order',
    query: SignedLinkQuery.extend(messagePagingQuery),
    errors,
    lists: true,
    reply: z.array(PublicMessageView),
    handle: async ({ params: { request_id }, query: { limit, cursor, ...signed } }) =>
      toListing(await publicMessages(await findReadable(request_id, signed), toPageRequest({ limit, cursor }))),
  }),
  ...(['messages', 'messages-user'] as const).flatMap((transcript) =>
    (Object.keys(FORMATS) as Format[]).map((format) => transcriptEndpoint(transcript, format)),
  ),
];
