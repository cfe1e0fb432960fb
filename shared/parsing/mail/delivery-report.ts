/**
 * Reads delivery reports (RFC 3464), such as bounces: the emails that mail servers send about the delivery of other
 * emails.
 */
import type { DeliveryStatus, ParsedMail } from './mail-tasks.ts';

/** A part of a report, as text. */
export interface ReportPart {
  type: string;
  text: string;
}

const STATUS_TYPE = 'message/delivery-status';

/** The types of the parts of a report that are read: the statuses, and the returned email or its headers. */
export const REPORT_PART_TYPES = new Set([STATUS_TYPE, 'message/rfc822', 'text/rfc822-headers']);

const fieldsOf = (block: string): Map<string, string> =>
  new Map(
    block
      .replace(/\n[ \t]+/g, ' ')
      .split('\n')
      .flatMap((line): [string, string][] => {
        const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
        return name ? [[name.toLowerCase(), value.trim()]] : [];
      }),
  );

/** The address in a field such as `rfc822; ann@example.org`. */
const addressOf = (field = ''): string =>
  field
    .replace(/^[\w-]+\s*;/, '')
    .trim()
    .replace(/^<|>$/g, '')
    .toLowerCase();

const statusOf = (fields: Map<string, string>): DeliveryStatus[] => {
  const recipients = ['original-recipient', 'final-recipient'].map((name) => addressOf(fields.get(name)));
  const known = recipients.filter((address) => address.includes('@'));
  if (!known.length) return [];
  const [status = ''] = /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '') ?? [];
  return [{ recipients: known, status, isFailed: fields.get('action')?.toLowerCase().startsWith('failed') ?? false }];
};

/** Reads the parts of a report. */
export const readDeliveryReport = (parts: ReportPart[]): NonNullable<ParsedMail['deliveryReport']> => {
  const texts = (isStatus: boolean) =>
    parts.filter(({ type }) => (type === STATUS_TYPE) === isStatus).map(({ text }) => text.replace(/\r\n/g, '\n'));
  const returnedIds = texts(false).flatMap((text) => [.../^message-id:\s*(<[^<>\s]+>)/gim[Symbol.matchAll](text)]);
  return {
    statuses: texts(true)
      .flatMap((text) => text.split(/\n\s*\n/))
      .flatMap((block) => statusOf(fieldsOf(block))),
    returnedIds: returnedIds.map(([, id = '']) => id),
  };
};
