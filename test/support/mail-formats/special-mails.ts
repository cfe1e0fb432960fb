/** Mails that test one property each; the lines of a text are separated by line feeds. */
import { filePart, mailSource, multipart, textPart } from './mime.ts';

/** The Message-ID of the mail that replies answer. */
export const ANSWERED_ID = '<0123456789abcdef01234567@shop.example.com>';

/** A mail, and what should become of it. */
export interface MailCase {
  title: string;
  source: Buffer;
  text: string;
  /** Whether the mail belongs to the conversation of `ANSWERED_ID`; otherwise it opens one. */
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

const first = (title: string, part: Part | string, text: string, headers = {}): MailCase => ({
  title,
  source: mailSource(headersOf(title, false, headers), typeof part === 'string' ? textPart('plain', part) : part),
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
  ['interleaved answers keep the questions', `${INTERLEAVED}\n\n> Bye\n`, INTERLEAVED],
  [
    'nested quotes',
    'Yes.\n\nOn 5 Jan 2026, at 10:12, Shop <shop@example.com> wrote:\n> Is it?\n>> No.\n>>> Is it?\n',
    'Yes.',
  ],
  [
    'a wrapped attribution',
    'Yes.\n\nOn Monday, 5 January 2026 at 10:12:33 the shop in the High Street\n<shop@example.com> wrote:\n\n> Is it?\n',
    'Yes.',
  ],
  [
    'a line about a mail is not an attribution',
    'Yesterday at 10:12 I wrote to you:\nthere was no answer.',
    'Yesterday at 10:12 I wrote to you:\nthere was no answer.',
  ],
  [
    'greater-than signs in the text',
    'The price is\n> 20 euros.\n\nIs that right?',
    'The price is\n> 20 euros.\n\nIs that right?',
  ],
  ['below the quote with a signature', '> Is it?\n\nNo.\n\n-- \nVera\nExample Street 1\n', 'No.'],
  [
    'a signature above the quote',
    'No.\n\n-- \nVera\n\nOn 5 Jan 2026, at 10:12, Shop <shop@example.com> wrote:\n> Is it?\n',
    'No.',
  ],
  [
    'a signature below the quote',
    'No.\n\nOn 5 Jan 2026, at 10:12, Shop <shop@example.com> wrote:\n> Is it?\n\n-- \nVera\n',
    'No.',
  ],
  ['a footer of a list below the quote', 'No.\n\n> Is it?\n\n____________\nSent via Example Groups\n', 'No.'],
  ['a quote only', '> Is it?\n> Really?\n', '> Is it?\n> Really?'],
  ['no quote', 'Yes, it is.\n', 'Yes, it is.'],
  [
    'several quoted mails of Outlook',
    'Thanks.\n\nFrom: Shop\nSent: Monday\nTo: Vera\nSubject: RE: Order\n\nDone.\n\nFrom: Vera\nSent: Sunday\nTo: Shop\nSubject: Order\n\nWhere?\n',
    'Thanks.',
  ],
  [
    'bold header names',
    'Thanks.\n\n*From:* Shop <shop@example.com>\n*Sent:* Monday, 5 January\n*To:* Vera\n*Subject:* Order\n\nDone.\n',
    'Thanks.',
  ],
  [
    'GMX',
    'Danke!\n\nGesendet: Montag, 05. Januar 2026 um 10:12 Uhr\nVon: "Shop" <shop@example.com>\nAn: vera@example.org\nBetreff: Order\n\nErledigt.\n',
    'Danke!',
  ],
  [
    'Lotus Notes',
    'Thanks.\n\n\n\nFrom:   Shop <shop@example.com>\nTo:     Vera <vera@example.org>\nDate:   05.01.2026 10:12\nSubject:        Order\n\nDone.\n',
    'Thanks.',
  ],
  [
    'Proton Mail',
    'Thanks.\n\nSent with Proton Mail secure email.\n\nOn Monday, January 5th, 2026 at 10:12 AM, Shop <shop@example.com> wrote:\n\n> Done.\n',
    'Thanks.',
  ],
  ['Gmail in Japanese', 'ありがとう\n\n2026年1月5日(月) 10:12 Shop <shop@example.com>:\n\n> 完了\n', 'ありがとう'],
  ['Gmail in Chinese', '谢谢\n\nShop <shop@example.com> 于2026年1月5日周一 10:12写道：\n\n> 完成\n', '谢谢'],
  ['Gmail in Russian', 'Спасибо\n\nпн, 5 янв. 2026 г. в 10:12, Shop <shop@example.com>:\n\n> Готово\n', 'Спасибо'],
  ['Gmail in Dutch', 'Dank je\n\nOp ma 5 jan 2026 om 10:12 schreef Shop <shop@example.com>:\n\n> Klaar\n', 'Dank je'],
  ['Gmail in Polish', 'Dzięki\n\npon., 5 sty 2026 o 10:12 Shop <shop@example.com> napisał(a):\n\n> Gotowe\n', 'Dzięki'],
  ['Gmail in Swedish', 'Tack\n\nDen mån 5 jan. 2026 kl 10:12 skrev Shop <shop@example.com>:\n\n> Klart\n', 'Tack'],
  [
    'Gmail in Portuguese',
    'Obrigada\n\nEm seg., 5 de jan. de 2026 às 10:12, Shop <shop@example.com> escreveu:\n\n> Feito\n',
    'Obrigada',
  ],
]);

const FORWARDS = [
  first('forwarded by Gmail', FORWARDED, FORWARDED, { Subject: 'Fwd: Your parcel' }),
  first(
    'forwarded by Gmail in German',
    FORWARDED.replace('Forwarded message', 'Weitergeleitete Nachricht'),
    FORWARDED.replace('Forwarded message', 'Weitergeleitete Nachricht'),
    { Subject: 'WG: Your parcel', References: '<unknown@example.org>' },
  ),
  first('forwarded by Outlook', OUTLOOK_FORWARD, OUTLOOK_FORWARD, {
    Subject: 'FW: Your parcel',
    References: '<unknown@example.org>',
  }),
  first('forwarded by Apple Mail', APPLE_FORWARD, APPLE_FORWARD, { Subject: 'Fwd: Your parcel' }),
  reply('a reply with a forwarded mail', `${FORWARDED}\n`, FORWARDED),
  first(
    'a reply to a forwarded mail',
    `Any news?\n\nOn Mon, Jan 5, 2026 at 10:12 AM Shop <shop@example.com> wrote:\n\n> ---------- Forwarded message ---------\n> From: Carrier\n> Lost.\n`,
    'Any news?',
    { Subject: 'Re: Fwd: Your parcel' },
  ),
  first('headers of a mail in a first mail', OUTLOOK_FORWARD, OUTLOOK_FORWARD),
  first(
    'a first mail keeps its signature',
    'Hello.\n\n-- \nVera\nExample Street 1\n',
    'Hello.\n\n-- \nVera\nExample Street 1',
  ),
  first(
    'AW: without a reference',
    'Danke.\n\n-----Ursprüngliche Nachricht-----\nVon: Shop\nGesendet: Montag\nAn: Vera\nBetreff: Order\n\nErledigt.\n',
    'Danke.',
    { Subject: 'AW: Order 1' },
  ),
];

const BODIES = [
  first(
    'HTML only with a table and a list',
    textPart(
      'html',
      '<h1>Order</h1><p>Two&nbsp;items:</p><ul><li>Shoes</li><li>Socks</li></ul><table><tr><td>Total</td><td>20 €</td></tr></table><style>p{}</style><script>1</script>',
    ),
    'Order\n\nTwo items:\n\n * Shoes\n * Socks\n\nTotal\n20 €',
  ),
  first(
    'HTML with hidden text and links',
    textPart(
      'html',
      '<div style="display:none">preheader</div><p>See <a href="https://example.org/a">this page</a> or <a href="https://example.org/b">https://example.org/b</a>.</p>',
    ),
    'See this page (https://example.org/a) or https://example.org/b.',
  ),
  first(
    'a blank plain text next to HTML',
    multipart('alternative', textPart('plain', ' \n'), textPart('html', '<p>Where is it?</p>')),
    'Where is it?',
  ),
  first(
    'a notice in place of the text',
    multipart(
      'alternative',
      textPart('plain', 'This mail is in HTML.'),
      textPart('html', `<p>${'Where is my order? '.repeat(20)}</p>`),
    ),
    'Where is my order? '.repeat(20).trim(),
  ),
  first(
    'two texts around an attachment',
    multipart(
      'mixed',
      textPart('plain', 'Before.'),
      filePart('a.ics', 'text/calendar', Buffer.from('x')),
      textPart('plain', 'After.'),
    ),
    'Before.\nAfter.\n\nAttachments:\n- a.ics was not stored: File extension .ics is not allowed',
  ),
  first(
    'soft line breaks and equals signs',
    textPart('plain', `a=b ${'word '.repeat(30)}end`),
    `a=b ${'word '.repeat(30)}end`,
  ),
  first(
    'flowed lines',
    textPart('plain', 'One line \nthat goes on.\n-- \nVera', { parameters: '; format=flowed' }),
    'One line that goes on.\n-- \nVera',
  ),
  first('no text', '', 'Order 1'),
  first('neither text nor subject', '', '(no text)', { Subject: undefined }),
];

/** Texts in the bytes of their charset, as base64. */
const CHARSETS: [charset: string, base64: string, text: string][] = [
  ['iso-8859-1', 'R3L832UgYXVzIE38bmNoZW4sIHZvaWzg', 'Grüße aus München, voilà'],
  ['windows-1252', 'k0RhbmtllCCWIDIwIIAgZvxyIMZyZ2Vy', '“Danke” – 20 € für Ærger'],
  ['iso-8859-15', 'MjAgpCwgZ3L832U=', '20 €, grüße'],
  ['iso-8859-2', 'RHpp6mt1auosIL/zs3c=', 'Dziękuję, żółw'],
  ['koi8-r', '58TFIM3PyiDawcvB2j8=', 'Где мой заказ?'],
  ['windows-1251', '0e/g8ejh7iDn4CDu8uLl8g==', 'Спасибо за ответ'],
  ['Shift_JIS', 'ko2VtoLNgseCsYLFgreCqYFC', '注文はどこですか。'],
  ['ISO-2022-JP', 'GyRCQ21KOCRPJEkkMyRHJDkkKyEjGyhC', '注文はどこですか。'],
  ['euc-kr', 'wda5rsC6IL7utfC/oSDA1r3AtM+x7g==', '주문은 어디에 있습니까'],
  ['gb2312', 'ztK1xLaptaXU2sTEwO+jvw==', '我的订单在哪里？'],
  ['big5', 'p9qquq1xs+amYq3+uMyhSA==', '我的訂單在哪裡？'],
  // Never decoded: it could hide markup.
  ['utf-7', Buffer.from('+ADw-b+AD4- Hello').toString('base64'), '+ADw-b+AD4- Hello'],
  ['x-unknown', Buffer.from('Grüße').toString('base64'), 'Grüße'],
];

const IN_CHARSETS = CHARSETS.map(([charset, bytes, text], index) => {
  const transfer = index % 2 ? 'base64' : 'quoted-printable';
  return first(`the charset ${charset}`, textPart('plain', Buffer.from(bytes, 'base64'), { charset, transfer }), text);
});

export const SPECIAL_MAILS: MailCase[] = [...QUOTES, ...FORWARDS, ...BODIES, ...IN_CHARSETS];
