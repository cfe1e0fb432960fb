/** Texts as they are kept in the database where they may hold secrets: encrypted with a key of this instance. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { keyFor } from '#shared/tokens.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = 'sealed:';

let key: Buffer | undefined;
const ownKey = (): Buffer => (key ??= keyFor('idempotency replies'));

/** Encrypt a text; it opens under the same name alone. */
export const seal = (text: string, name: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, ownKey(), iv).setAAD(Buffer.from(name));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
};

/** The text that was sealed, or null where another key or name sealed it. A text that never was sealed is as it is. */
export const unseal = (sealed: string, name: string): string | null => {
  if (!sealed.startsWith(PREFIX)) return sealed;
  const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64');
  const decipher = createDecipheriv(CIPHER, ownKey(), bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(name));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
};
