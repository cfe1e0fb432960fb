/** Encrypts stored replies, which may contain secrets, with a key derived from JWT_SECRET. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from '#shared/security/tokens.ts';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ENCRYPTED_PREFIX = 'sealed:';

let cachedKey: Buffer | undefined;
const encryptionKey = (): Buffer => (cachedKey ??= deriveKey('idempotency replies'));

/** Encrypts a text. `name` is authenticated with it: decryption requires the same name. */
export const encryptReply = (text: string, name: string): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, encryptionKey(), iv).setAAD(Buffer.from(name));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return ENCRYPTED_PREFIX + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
};

/**
 * Decrypts a text. Returns null if the key or the name differs. A text without the prefix of encrypted texts is
 * returned unchanged.
 */
export const decryptReply = (encrypted: string, name: string): string | null => {
  if (!encrypted.startsWith(ENCRYPTED_PREFIX)) return encrypted;
  const bytes = Buffer.from(encrypted.slice(ENCRYPTED_PREFIX.length), 'base64');
  const decipher = createDecipheriv(CIPHER, encryptionKey(), bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(name));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
};
