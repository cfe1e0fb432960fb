/** Replies: a title, the text of the email, and the part of it that the author wrote. */
export const QUOTED_MAILS: [title: string, source: string, text: string][] = [
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
    'a line that resembles an attribution',
    'Yesterday at 10:12 I wrote to you:\nthere was no answer.',
    'Yesterday at 10:12 I wrote to you:\nthere was no answer.',
  ],
  [
    'greater-than signs in the text',
    'The price is\n> 20 euros.\n\nIs that right?',
    'The price is\n> 20 euros.\n\nIs that right?',
  ],
  ['a text with a signature, below the quote', '> Is it?\n\nNo.\n\n-- \nVera\nExample Street 1\n', 'No.'],
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
  ['the footer of a mailing list below the quote', 'No.\n\n> Is it?\n\n____________\nSent via Example Groups\n', 'No.'],
  ['a quote only', '> Is it?\n> Really?\n', '> Is it?\n> Really?'],
  ['no quote', 'Yes, it is.\n', 'Yes, it is.'],
  [
    'several emails quoted by Outlook',
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
];
