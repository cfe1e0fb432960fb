/** Parses an email in the format of RFC 822: addresses, thread, text, attachments, and whether a program sent it. */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type AddressObject, type AttachmentStream, MailParser, type MessageText } from 'mailparser';
import { extension } from 'mime-types';
import { AppError } from '../../errors.ts';
import { automaticHeader, sendingProject } from './automatic-mail.ts';
import { type ReportPart, readDeliveryReport, REPORT_PART_TYPES } from './delivery-report.ts';
import { quotedPictures } from './html-to-plain.ts';
import type { MailAddress, MailAttachment, MailTask, ParsedMail } from './mail-tasks.ts';
import { isReplySubject } from './subject-prefixes.ts';
import { readableText } from './readable-text.ts';

const MAX_PARTS = 300;
const MAX_HEADER_BYTES = 262_144;
const MAX_REPORT_PART_CHARACTERS = 262_144;
const MAX_ANSWERED_IDS = 30;
const MAX_ADDRESS_CHARACTERS = 1000;
const MAX_ID_CHARACTERS = 998;
const RECIPIENT_HEADERS = ['to', 'cc', 'bcc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to'];
/** Parts that contain the digital signature of an email. They are not stored as attachments. */
const SIGNATURE_TYPES = /^application\/(pgp-signature|(x-)?pkcs7-signature)$/;

const PARSER_OPTIONS = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  keepDeliveryStatus: true,
  checksumAlgo: 'sha256',
  maxChildNodes: MAX_PARTS,
  maxHeadSize: MAX_HEADER_BYTES,
};

/** The parts of an email. */
interface MailParts {
  plain: string;
  html: string;
  attachments: (MailAttachment & { cid?: string })[];
  report: ReportPart[];
}

const nameOf = ({ filename, contentType }: AttachmentStream, number: number): string => {
  if (filename?.trim()) return filename.trim();
  return `attachment-${number}.${contentType === 'message/rfc822' ? 'eml' : extension(contentType) || 'bin'}`;
};

const writeAttachment = async (part: AttachmentStream, folder: string, number: number) => {
  const path = join(folder, `attachment-${number}`);
  await pipeline(part.content, createWriteStream(path));
  const { contentType: type, cid, size = 0, checksum: hash = '' } = part;
  return { name: nameOf(part, number), type, size, hash, path, cid };
};

/** Reads the beginning of a part as text. */
const readPart = async ({ content, contentType: type }: AttachmentStream): Promise<ReportPart> => {
  let text = '';
  for await (const piece of content)
    if (text.length < MAX_REPORT_PART_CHARACTERS) text += (piece as Buffer).toString('latin1');
  return { type, text };
};

const headersOf = (parser: MailParser): ReadonlyMap<string, unknown> => parser.headers || new Map<string, unknown>();

const isReport = (parser: MailParser): boolean =>
  (headersOf(parser).get('content-type') as { value?: string } | undefined)?.value?.toLowerCase() ===
  'multipart/report';

/** Whether an error comes from a system call, for example because the disk is full. */
export const isSystemError = (error: unknown): error is Error & { code: string } =>
  typeof (error as { syscall?: unknown }).syscall === 'string';

/** Reads all parts of an email, and writes its attachments to files in the folder. */
const readParts = async (parser: MailParser, { file, folder }: MailTask): Promise<MailParts> => {
  const parts: MailParts = { plain: '', html: '', attachments: [], report: [] };
  const readAttachment = async (part: AttachmentStream): Promise<void> => {
    if (isReport(parser) && REPORT_PART_TYPES.has(part.contentType)) parts.report.push(await readPart(part));
    else if (SIGNATURE_TYPES.test(part.contentType)) await readPart(part);
    else parts.attachments.push(await writeAttachment(part, folder, parts.attachments.length + 1));
    part.release?.();
  };
  const read = async (): Promise<void> => {
    for await (const part of parser as AsyncIterable<AttachmentStream | MessageText>)
      if (part.type === 'attachment') await readAttachment(part);
      else Object.assign(parts, { plain: part.text ?? '', html: part.html ?? '' });
  };
  try {
    await Promise.all([pipeline(createReadStream(file), parser), read()]);
  } catch (error) {
    if (isSystemError(error)) throw error;
    throw new AppError(422, 'MAIL_MALFORMED', `The email cannot be read: ${(error as Error).message}`);
  }
  return parts;
};

const addressesIn = (header: unknown): MailAddress[] => {
  if (typeof header === 'string') {
    const [address] = /[^\s<>,;"]+@[^\s<>,;"]+/.exec(header.slice(0, MAX_ADDRESS_CHARACTERS)) ?? [];
    return address ? [{ name: '', address: address.toLowerCase() }] : [];
  }
  if (Array.isArray(header)) return header.flatMap(addressesIn);
  return ((header as AddressObject | undefined)?.value ?? [])
    .flatMap((each) => each.group ?? [each])
    .flatMap(({ name, address }) => (address?.includes('@') ? [{ name, address: address.toLowerCase() }] : []));
};

const messageIdsIn = (header: unknown): string[] =>
  [header]
    .flat()
    .flatMap((each) => (typeof each === 'string' ? (each.match(/<[^<>\s]+>/g) ?? []) : []))
    .filter((id) => id.length <= MAX_ID_CHARACTERS);

const answeredIds = (headers: ReadonlyMap<string, unknown>): string[] => {
  const ids = [...messageIdsIn(headers.get('in-reply-to')), ...messageIdsIn(headers.get('references')).toReversed()];
  return [...new Set(ids)].slice(0, MAX_ANSWERED_IDS);
};

/** Parses an email in a file. Throws a 422 if the file is not an email. */
export const parseMail = async (task: MailTask): Promise<ParsedMail> => {
  const parser = new MailParser(PARSER_OPTIONS);
  const { plain, html, attachments, report } = await readParts(parser, task);
  const headers = headersOf(parser);
  const subject = String(headers.get('subject') ?? '');
  const ids = answeredIds(headers);
  const isReply = ids.length > 0 || isReplySubject(subject);
  const quoted = new Set(isReply ? quotedPictures(html) : []);
  return {
    from: addressesIn(headers.get('from'))[0],
    recipients: RECIPIENT_HEADERS.flatMap((name) => addressesIn(headers.get(name))).map(({ address }) => address),
    subject,
    messageId: messageIdsIn(headers.get('message-id'))[0],
    answeredIds: ids,
    text: readableText({ plain, html }, { isReply, subject }),
    automaticBy: automaticHeader(headers),
    sendingProject: sendingProject(headers),
    ...(report.length > 0 && { deliveryReport: readDeliveryReport(report) }),
    attachments: attachments.flatMap(({ cid, ...each }) => (cid !== undefined && quoted.has(cid) ? [] : [each])),
  };
};
