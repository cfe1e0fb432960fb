/** Decodes pages. Evidence in the bytes takes precedence over the declared encoding, which is often wrong. */
import { AppError } from '#shared/errors.ts';

const BINARY_SIGNATURES = [
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
const BYTE_ORDER_MARKS: [string, string][] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];
const SNIFFED_BYTES = 4096;
const CONTROL_CHARACTERS = /[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g;

const notTextError = (what: string) =>
  new AppError(422, 'NOT_TEXT', `The source is ${what}, not text or HTML; link to a page that can be read as text.`);

/** Decodes a page or file in any encoding; throws `NOT_TEXT` for images, archives and other binary data. */
export function decodeText(body: Uint8Array, contentType = ''): string {
  const head = body.subarray(0, SNIFFED_BYTES);
  const hex = Buffer.from(head.subarray(0, 8)).toString('hex');
  if (BINARY_SIGNATURES.some((signature) => hex.startsWith(signature))) throw notTextError('a binary file');
  const ascii = Buffer.from(head).toString('latin1');
  const encoding = BYTE_ORDER_MARKS.find(([mark]) => hex.startsWith(mark))?.[1] ?? declaredEncoding(contentType, ascii);
  if (ascii.includes('\0') && !encoding?.startsWith('utf-16')) throw notTextError('binary data');
  const text = decodeBytes(body, encoding);
  const controls = text.slice(0, SNIFFED_BYTES).match(CONTROL_CHARACTERS)?.length ?? 0;
  if (controls > 8 && controls * 10 > Math.min(text.length, SNIFFED_BYTES)) throw notTextError('binary data');
  return text;
}

/** Returns the encoding that the `Content-Type` header declares or, failing that, the page itself. */
function declaredEncoding(contentType: string, head: string): string | undefined {
  const name = /charset\s*=\s*["']?([\w.:-]+)/i;
  return (name.exec(contentType) ??
    name.exec(head) ??
    /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)/i.exec(head))?.[1]?.toLowerCase();
}

/**
 * Decodes bytes as UTF-8 if they are valid UTF-8, otherwise with the declared encoding. UTF-16, ISO 2022 and HZ are
 * decoded as declared, because their bytes may also be valid UTF-8.
 */
function decodeBytes(body: Uint8Array, encoding: string | undefined): string {
  if (encoding && /^(utf-16|iso-2022|hz-)/.test(encoding)) return createDecoder(encoding, 'utf-8').decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return createDecoder(encoding, 'windows-1252').decode(body);
  }
}

/** Returns a decoder for the declared encoding, or for the fallback if the encoding is absent or unknown. */
function createDecoder(encoding: string | undefined, fallback: string) {
  try {
    return new TextDecoder(encoding ?? fallback);
  } catch {
    return new TextDecoder(fallback);
  }
}
