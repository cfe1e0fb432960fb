/** Recognizes emails that a program sent: automatic replies, returned emails, and emails from mailing lists. */

type Headers = ReadonlyMap<string, unknown>;

/** Returns the text of a header, or an empty string if it is absent. */
const textOf = (headers: Headers, name: string): string => {
  const value = [headers.get(name)].flat()[0];
  if (typeof value === 'object' && value !== null)
    return 'text' in value ? String(value.text) : String((value as { value?: unknown }).value ?? '');
  return String(value ?? '')
    .trim()
    .toLowerCase();
};

const senderOf = (headers: Headers, name: string): string => {
  const { value = [] } = (headers.get(name) ?? {}) as { value?: { address?: string }[] };
  return value[0]?.address?.toLowerCase() ?? '';
};

const REPLY_HEADERS = ['x-autoreply', 'x-autorespond', 'x-autoreply-from', 'x-mail-autoreply'];
const PROGRAM_SENDER = /^(mailer-daemon|postmaster)@/;

/** The names of the headers that are tested, each with its test. */
const TESTS: [string, (headers: Headers, name: string) => boolean][] = [
  ['auto-submitted', (headers, name) => !['', 'no'].includes(textOf(headers, name).split(';')[0]?.trim() ?? '')],
  ['precedence', (headers, name) => /^(bulk|junk|list|auto[_-]?reply)$/.test(textOf(headers, name))],
  ['x-auto-response-suppress', (headers, name) => /\b(all|oof|autoreply)\b/.test(textOf(headers, name))],
  ...REPLY_HEADERS.map((header): (typeof TESTS)[number] => [
    header,
    (headers, name) => !['', 'no'].includes(textOf(headers, name)),
  ]),
  ['return-path', (headers, name) => headers.has(name) && !textOf(headers, name).includes('@')],
  ['from', (headers, name) => PROGRAM_SENDER.test(senderOf(headers, name))],
  ['content-type', (headers, name) => textOf(headers, name).toLowerCase() === 'multipart/report'],
];

/** Returns the name of the header that shows that a program sent the email; undefined if a person sent it. */
export const automaticHeader = (headers: Headers): string | undefined =>
  TESTS.find(([name, isAutomatic]) => isAutomatic(headers, name))?.[0];

/** Returns the id of the project, of this or another instance, that a header names as the sender; undefined if none. */
export const sendingProject = (headers: Headers): string | undefined =>
  textOf(headers, 'x-tiledesk-project-id') || undefined;
