/** The formats in which mail programs write a reply to an email from a shop. */
import { LANGUAGES } from './languages.ts';
import { multipart, textPart } from './mime.ts';

export type Language = keyof typeof LANGUAGES;

/** The quoted email. */
const QUOTED = ['Hello Vera,', '', 'which order do you mean?', '', '--', 'Your shop'];
const SHOP = 'Shop';

/** A reply: its author's text, and the language of the mail program. */
export interface ReplyText {
  text: string;
  language: Language;
  /** The lines of the quoted email. */
  quoted?: string[];
}

type Format = (reply: ReplyText) => ReturnType<typeof textPart>;

const phrase = (language: Language, name: 'gmail' | 'thunderbird' | 'apple' | 'yahoo'): string =>
  LANGUAGES[language][name].replace('SHOP', SHOP);

const escapeHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const htmlLines = (lines: string[]): string => lines.map(escapeHtml).join('<br>');
const divs = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<div>${escapeHtml(line) || '<br>'}</div>`)
    .join('');
const withMarks = (lines: string[]): string[] => lines.map((line) => (line ? `> ${line}` : '>'));

/** Breaks a line at spaces, as mail programs with hard line breaks do. */
const wrap = (line: string, width = 72): string =>
  line
    .split(' ')
    .reduce<string[]>((lines, word) => {
      const last = lines.at(-1);
      if (last === undefined || last.length + word.length + 1 > width) return [...lines, word];
      return [...lines.slice(0, -1), `${last} ${word}`];
    }, [])
    .join('\n');

const gmailHtml = ({ text, language, quoted = QUOTED }: ReplyText): string =>
  `<div dir="ltr">${divs(text)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">` +
  `${escapeHtml(phrase(language, 'gmail'))}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;` +
  `border-left:1px solid rgb(204,204,204);padding-left:1ex"><div dir="ltr">${htmlLines(quoted)}</div></blockquote></div>`;

const gmailPlain = ({ text, language, quoted = QUOTED }: ReplyText): string =>
  [text, '', wrap(phrase(language, 'gmail')), '', ...withMarks(quoted), ''].join('\n');

const headerBlock = (language: Language): string[] => {
  const { labels, sent } = LANGUAGES[language];
  const values = [`${SHOP} <shop@example.com>`, sent, 'Vera <vera@example.org>', 'Order 1'];
  return labels.map((label, index) => `${label}${language === 'fr' ? ' ' : ''}: ${values[index]}`);
};

const outlookHtml = ({ text, language, quoted = QUOTED }: ReplyText): string => {
  const paragraphs = (lines: string[]) =>
    lines.map((line) => `<p class=MsoNormal>${escapeHtml(line) || '<o:p>&nbsp;</o:p>'}</p>`).join('\r\n');
  const block = headerBlock(language).map((line) => escapeHtml(line).replace(/^([^:]+:)/, '<b>$1</b>'));
  return (
    '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0cm}</style></head>' +
    `<body lang=EN-US link="#0563C1"><div class=WordSection1>${paragraphs(text.split('\n'))}<p class=MsoNormal><o:p>&nbsp;</o:p></p>` +
    '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">' +
    `<p class=MsoNormal>${block.join('<br>')}<o:p></o:p></p></div></div>${paragraphs(['', ...quoted])}</div></body></html>`
  );
};

const outlookWebHtml = ({ text, language, quoted = QUOTED }: ReplyText): string =>
  `<html><body dir="ltr">${divs(text).replaceAll('<div>', '<div class="elementToProof">')}<div id="appendonsend"></div>` +
  '<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">' +
  `${headerBlock(language)
    .map((line) => escapeHtml(line).replace(/^([^:]+:)/, '<b>$1</b>'))
    .join('<br>')}</font><div>&nbsp;</div></div><div>${htmlLines(quoted)}</div></body></html>`;

const appleHtml = ({ text, language, quoted = QUOTED }: ReplyText): string =>
  `<html><body style="word-wrap: break-word; line-break: after-white-space;">${divs(text)}<br><blockquote type="cite">` +
  `<div>${escapeHtml(phrase(language, 'apple'))}</div><br class="Apple-interchange-newline"><div>${htmlLines(quoted)}</div></blockquote></body></html>`;

const alternative = (plain: string, html: string) =>
  multipart('alternative', textPart('plain', plain), textPart('html', html));

const originalMessage = (language: Language, dashes: string): string =>
  `${dashes}${dashes.length > 5 ? ' ' : ''}${LANGUAGES[language].original}${dashes.length > 5 ? ' ' : ''}${dashes}`;

const outlookPlain = ({ text, language, quoted = QUOTED }: ReplyText, separator: string): string =>
  [text, '', ...(separator ? [separator] : []), ...headerBlock(language), '', ...quoted, ''].join('\n');

const yahooPlain = ({ text, language, quoted = QUOTED }: ReplyText): string =>
  [` ${text}`, '', `    ${phrase(language, 'yahoo')}  `, ' ', ...quoted.map((line) => ` ${line}`), ''].join('\n');

/** The formats by mail program. The text is above the quote unless the name says otherwise. */
export const MAILERS = {
  Gmail: (reply) => alternative(gmailPlain(reply), gmailHtml(reply)),
  'Gmail, HTML only': (reply) => textPart('html', gmailHtml(reply)),
  'Gmail for Android, plain text': (reply) => textPart('plain', gmailPlain(reply), { transfer: 'base64' }),
  Outlook: (reply) => alternative(outlookPlain(reply, ''), outlookHtml(reply)),
  'Outlook, HTML only': (reply) => textPart('html', outlookHtml(reply)),
  'Outlook, plain text': (reply) => textPart('plain', outlookPlain(reply, originalMessage(reply.language, '-----'))),
  'Outlook on the web': (reply) => alternative(outlookPlain(reply, '_'.repeat(32)), outlookWebHtml(reply)),
  'Outlook on the web, HTML only': (reply) => textPart('html', outlookWebHtml(reply)),
  'Outlook for Android': (reply) => {
    const text = `${reply.text}\n\n${LANGUAGES[reply.language].outlookApp}`;
    return textPart('plain', outlookPlain({ ...reply, text }, '_'.repeat(32)));
  },
  'Apple Mail': (reply) => {
    const quote = withMarks([phrase(reply.language, 'apple'), '', ...(reply.quoted ?? QUOTED)]);
    return alternative([reply.text, '', ...quote, ''].join('\n'), appleHtml(reply));
  },
  'Apple Mail, HTML only': (reply) => textPart('html', appleHtml(reply)),
  iPhone: (reply) => {
    const quote = withMarks([phrase(reply.language, 'apple'), '', ...(reply.quoted ?? QUOTED)]);
    const lines = [reply.text, '', LANGUAGES[reply.language].phone, '', ...quote, ''];
    return textPart('plain', lines.join('\n'));
  },
  'Samsung Email': (reply) => {
    const text = `${reply.text}\n\n\nSent from my Galaxy\n\n`;
    return textPart('plain', outlookPlain({ ...reply, text }, originalMessage(reply.language, '--------')));
  },
  'Thunderbird, below the quote': ({ text, language, quoted = QUOTED }) =>
    textPart('plain', [phrase(language, 'thunderbird'), ...withMarks(quoted), '', text, ''].join('\n'), {
      transfer: '8bit',
      parameters: '; format=flowed',
    }),
  'Thunderbird, above the quote': ({ text, language, quoted = QUOTED }) =>
    textPart('plain', [text, '', phrase(language, 'thunderbird'), ...withMarks(quoted), ''].join('\n')),
  Yahoo: (reply) => textPart('plain', yahooPlain(reply)),
} satisfies Record<string, Format>;

export type Mailer = keyof typeof MAILERS;
