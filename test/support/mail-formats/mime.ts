/** Builds the source of emails, part by part, as mail programs write it. */

/** The headers of an email or part, and its encoded content. */
interface Part {
  headers: string[];
  body: string;
}

const BASE64_LINE = 76;

const quotedPrintable = (bytes: Buffer): string =>
  [...bytes]
    .map((code) => {
      const isPlain = code === 10 || (code >= 32 && code < 127 && code !== 61);
      return isPlain ? String.fromCharCode(code) : `=${code.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('')
    .replace(/[ \t]$/gm, (space) => `=${space === ' ' ? '20' : '09'}`)
    .split('\n')
    .map((line) => line.replace(/.{70}(?=.{6})(?<!=.?)/g, '$&=\r\n'))
    .join('\r\n');

const base64 = (bytes: Buffer): string =>
  (bytes.toString('base64').match(new RegExp(`.{1,${BASE64_LINE}}`, 'g')) ?? ['']).join('\r\n');

/** How a part is encoded. */
interface Encoding {
  charset?: string;
  transfer?: 'quoted-printable' | 'base64' | '8bit';
  /** Additional parameters of the content type. */
  parameters?: string;
}

/** A text part; `content` may be given as bytes in its charset. */
export const textPart = (
  subtype: 'plain' | 'html',
  content: string | Buffer,
  { charset = 'utf-8', transfer = 'quoted-printable', parameters = '' }: Encoding = {},
): Part => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const encoders = { 'quoted-printable': quotedPrintable, base64, '8bit': (raw: Buffer) => raw.toString('latin1') };
  return {
    headers: [
      `Content-Type: text/${subtype}; charset=${charset}${parameters}`,
      `Content-Transfer-Encoding: ${transfer}`,
    ],
    body: encoders[transfer](bytes),
  };
};

/** A file in an email; with a Content-ID it is an inline picture. */
interface MailFile {
  name: string;
  type: string;
  bytes: Buffer;
  cid?: string;
}

/** An attachment or inline picture. */
export const filePart = ({ name, type, bytes, cid }: MailFile): Part => ({
  headers: [
    `Content-Type: ${type}; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: ${cid ? 'inline' : 'attachment'}; filename="${name}"`,
    ...(cid ? [`Content-ID: <${cid}>`] : []),
  ],
  body: base64(bytes),
});

/** A text file as an attachment. */
export const textFile = (name: string, text = 'x'): Part =>
  filePart({ name, type: 'text/plain', bytes: Buffer.from(text) });

let boundaries = 0;

/** A part that contains other parts. */
export const multipart = (subtype: string, ...parts: Part[]): Part => {
  boundaries += 1;
  const boundary = `----=_Part_${boundaries}`;
  const sources = parts.map(({ headers, body }) => `--${boundary}\r\n${[...headers, '', body].join('\r\n')}\r\n`);
  return {
    headers: [`Content-Type: multipart/${subtype}; boundary="${boundary}"`],
    body: `${sources.join('')}--${boundary}--\r\n`,
  };
};

/** The source of an email. Headers and content are in Latin-1, one character for each byte. */
export const mailSource = (headers: Record<string, string | undefined>, { headers: own, body }: Part): Buffer => {
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}`));
  return Buffer.from([...lines, 'MIME-Version: 1.0', ...own, '', body].join('\r\n'), 'latin1');
};
