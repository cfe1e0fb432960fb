/** Bytes to text: what the bytes prove comes before what the page claims, since pages often claim wrongly. */
import { AppError } from '#shared/errors.ts';

const SIGNATURES = [
  '25504446',
  '89504e47',
  '47494638',
  'ffd8ff',
  '504b0304',
  '1f8b',
  '7f454c46',
  '52494646',
  'd0cf11e0',
  '774f4646',
  '774f4632',
];
const BOMS: [string, string][] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];
const SNIFFED_BYTES = 4096;
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g;

const notText = (what: string) =>
  new AppError(422, 'NOT_TEXT', `The source is ${what}, not text or HTML; link a page that can be read as text.`);

/** The text of a page or file in whatever encoding it came; throws `NOT_TEXT` for images, archives and other binary data. */
export function decode(body: Uint8Array, contentType = ''): string {
  const head = body.subarray(0, SNIFFED_BYTES);
  const hex = Buffer.from(head.subarray(0, 8)).toString('hex');
  if (SIGNATURES.some((signature) => hex.startsWith(signature))) throw notText('a binary file');
  const ascii = Buffer.from(head).toString('latin1');
  const encoding = BOMS.find(([mark]) => hex.startsWith(mark))?.[1] ?? declared(contentType, ascii);
  if (ascii.includes('\0') && !encoding?.startsWith('utf-16')) throw notText('binary data');
  const text = read(body, encoding);
  const controls = text.slice(0, SNIFFED_BYTES).match(CONTROLS)?.length ?? 0;
  if (controls > 8 && controls * 10 > Math.min(text.length, SNIFFED_BYTES)) throw notText('binary data');
  return text;
}

/** The encoding that the header, or else the page's own head, names. */
function declared(contentType: string, head: string): string | undefined {
  const name = /charset\s*=\s*["']?([\w.:-]+)/i;
  return (name.exec(contentType) ??
    name.exec(head) ??
    /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)/i.exec(head))?.[1]?.toLowerCase();
}

/** Text that decodes as UTF-8 without a fault is UTF-8, except where an encoding hides in ASCII bytes. */
function read(body: Uint8Array, encoding: string | undefined): string {
  if (encoding && /^(utf-16|iso-2022|hz-)/.test(encoding)) return decoder(encoding, 'utf-8').decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return decoder(encoding, 'windows-1252').decode(body);
  }
}

/** A decoder for a claimed encoding, or for the fallback when nobody knows the claim. */
function decoder(encoding: string | undefined, fallback: string) {
  try {
    return new TextDecoder(encoding ?? fallback);
  } catch {
    return new TextDecoder(fallback);
  }
}
