/** Authenticated encryption of short texts. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A key of 32 bytes, and the name under which the text is stored. Decryption requires the same name. */
export interface EncryptionContext {
  key: Buffer;
  name: string;
}

/** Encrypts a string; the result is base64. */
export const encryptText = (text: string, { key, name }: EncryptionContext): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(name));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
};

/** Decrypts a string. Returns null if the key or the name differs. */
export const decryptText = (encrypted: string, { key, name }: EncryptionContext): string | null => {
  const bytes = Buffer.from(encrypted, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(name));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
};
