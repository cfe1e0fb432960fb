/** Emails, each of which tests one aspect of email parsing. The lines of a text are separated by line feeds. */
import { CHARSETS } from './charsets.ts';
import { filePart, mailSource, multipart, textPart } from './mime.ts';
import { QUOTED_MAILS } from './quoted-mails.ts';

/** The Message-ID of the email that the replies answer. */
export const ANSWERED_ID = '<0123456789abcdef01234567@shop.example.com>';

/** An email, with the message text and the conversation that are expected for it. */
export interface MailCase {
  title: string;
  source: Buffer;
  text: string;
  /** Whether the email belongs to the conversation of `ANSWERED_ID`; otherwise it opens one. */
  isReply: boolean;
}

type Part = ReturnType<typeof textPart>;

export const headersOf = (title: string, isReply: boolean, more: Record<string, string | undefined> = {}) => ({
  'Return-Path': '<vera@example.org>',
  From: 'Vera <vera@example.org>',
  To: 'Shop <shop@example.com>',
  Subject: isReply ? 'Re: Order 1' : 'Order 1',
  Date: 'Mon, 05 Jan 2026 10:30:00 +0100',
  'Message-ID': `<${Buffer.from(title).toString('hex')}@example.org>`,
  ...(isReply && { 'In-Reply-To': ANSWERED_ID, References: ANSWERED_ID }),
  ...more,
});

const reply = (title: string, part: Part | string, text: string): MailCase => ({
  title,
  source: mailSource(headersOf(title, true), typeof part === 'string' ? textPart('plain', part) : part),
  text,
  isReply: true,
});

/** An email that opens a conversation; its headers replace default headers. */
type FirstMail = [title: string, body: Part | string, text: string, headers?: Record<string, string | undefined>];

const first = ([title, body, text, headers]: FirstMail): MailCase => ({
  title,
  source: mailSource(headersOf(title, false, headers), typeof body === 'string' ? textPart('plain', body) : body),
  text,
  isReply: false,
});

const INTERLEAVED = `Hello,

On 5 Jan 2026, at 10:12, Shop <shop@example.com> wrote:

> Which size?

42, please.

> Which colour?

Blue.`;

const FORWARDED = `Please see below.

---------- Forwarded message ---------
From: Carrier <info@carrier.example>
Date: Mon, Jan 5, 2026 at 9:00 AM
Subject: Your parcel
To: Vera <vera@example.org>

The parcel is lost.`;

const OUTLOOK_FORWARD = `FYI

From: Carrier <info@carrier.example>
Sent: Monday, January 5, 2026 9:00 AM
To: Vera <vera@example.org>
Subject: Your parcel

The parcel is lost.`;

const APPLE_FORWARD = `Begin forwarded message:

From: Carrier <info@carrier.example>
Subject: Your parcel
Date: 5 January 2026 at 09:00:00 CET
To: Vera <vera@example.org>

The parcel is lost.`;

const quoting = (cases: [string, string, string][]): MailCase[] =>
  cases.map(([title, source, text]) => reply(title, source, text));

const QUOTES = quoting([
  ['a forwarded email below a reply', `${FORWARDED}\n`, FORWARDED],
  ['answers between the lines of the quote', `${INTERLEAVED}\n\n> Bye\n`, INTERLEAVED],
  ...QUOTED_MAILS,
]);

const FORWARDS: FirstMail[] = [
  ['forwarded by Gmail', FORWARDED, FORWARDED, { Subject: 'Fwd: Your parcel' }],
  [
    'forwarded by Gmail in German',
    FORWARDED.replace('Forwarded message', 'Weitergeleitete Nachricht'),
    FORWARDED.replace('Forwarded message', 'Weitergeleitete Nachricht'),
    { Subject: 'WG: Your parcel', References: '<unknown@example.org>' },
  ],
  [
    'forwarded by Outlook',
    OUTLOOK_FORWARD,
    OUTLOOK_FORWARD,
    {
      Subject: 'FW: Your parcel',
      References: '<unknown@example.org>',
    },
  ],
  ['forwarded by Apple Mail', APPLE_FORWARD, APPLE_FORWARD, { Subject: 'Fwd: Your parcel' }],
  [
    'a reply to a forwarded email',
    `Any news?\n\nOn Mon, Jan 5, 2026 at 10:12 AM Shop <shop@example.com> wrote:\n\n> ---------- Forwarded message ---------\n> From: Carrier\n> Lost.\n`,
    'Any news?',
    { Subject: 'Re: Fwd: Your parcel' },
  ],
  ['a first email that contains the headers of another email', OUTLOOK_FORWARD, OUTLOOK_FORWARD],
  [
    'a first email with a signature',
    'Hello.\n\n-- \nVera\nExample Street 1\n',
    'Hello.\n\n-- \nVera\nExample Street 1',
  ],
  [
    'a reply ("AW:") that names no earlier email',
    'Danke.\n\n-----Ursprüngliche Nachricht-----\nVon: Shop\nGesendet: Montag\nAn: Vera\nBetreff: Order\n\nErledigt.\n',
    'Danke.',
    { Subject: 'AW: Order 1' },
  ],
];

const BODIES: FirstMail[] = [
  [
    'HTML only with a table and a list',
    textPart(
      'html',
      '<h1>Order</h1><p>Two&nbsp;items:</p><ul><li>Shoes</li><li>Socks</li></ul><table><tr><td>Total</td><td>20 €</td></tr></table><style>p{}</style><script>1</script>',
    ),
    'Order\n\nTwo items:\n\n * Shoes\n * Socks\n\nTotal\n20 €',
  ],
  [
    'HTML with hidden text and links',
    textPart(
      'html',
      '<div style="display:none">preheader</div><p>See <a href="https://example.org/a">this page</a> or <a href="https://example.org/b">https://example.org/b</a>.</p>',
    ),
    'See this page (https://example.org/a) or https://example.org/b.',
  ],
  [
    'a blank plain-text part next to an HTML part',
    multipart('alternative', textPart('plain', ' \n'), textPart('html', '<p>Where is it?</p>')),
    'Where is it?',
  ],
  [
    'a plain-text part that only refers to the HTML part',
    multipart(
      'alternative',
      textPart('plain', 'This mail is in HTML.'),
      textPart('html', `<p>${'Where is my order? '.repeat(20)}</p>`),
    ),
    'Where is my order? '.repeat(20).trim(),
  ],
  [
    'two text parts around an attachment',
    multipart(
      'mixed',
      textPart('plain', 'Before.'),
      filePart({ name: 'a.ics', type: 'text/calendar', bytes: Buffer.from('x') }),
      textPart('plain', 'After.'),
    ),
    'Before.\nAfter.\n\nAttachments:\n- a.ics was not stored: File extension .ics is not allowed',
  ],
  [
    'soft line breaks and equals signs',
    textPart('plain', `a=b ${'word '.repeat(30)}end`),
    `a=b ${'word '.repeat(30)}end`,
  ],
  [
    'flowed lines',
    textPart('plain', 'One line \nthat goes on.\n-- \nVera', { parameters: '; format=flowed' }),
    'One line that goes on.\n-- \nVera',
  ],
  ['no text', '', 'Order 1'],
  ['neither text nor subject', '', '(no text)', { Subject: undefined }],
];

const IN_CHARSETS = CHARSETS.map(([charset, bytes, text], index) => {
  const transfer = index % 2 ? 'base64' : 'quoted-printable';
  const body = textPart('plain', Buffer.from(bytes, 'base64'), { charset, transfer });
  return first([`the charset ${charset}`, body, text]);
});

export const SPECIAL_MAILS: MailCase[] = [...QUOTES, ...[...FORWARDS, ...BODIES].map(first), ...IN_CHARSETS];
