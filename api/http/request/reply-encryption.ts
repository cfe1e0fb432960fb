/** Encrypts the replies stored for `Idempotency-Key`, which may contain secrets, with a key derived from JWT_SECRET. */
import { decryptText, encryptText } from '#shared/security/encryption.ts';
import { deriveKey } from '#shared/security/tokens.ts';

const ENCRYPTED_PREFIX = 'sealed:';

let cachedKey: Buffer | undefined;
const encryptionKey = (): Buffer => (cachedKey ??= deriveKey('idempotency replies'));

/** Encrypts a reply. `name` is authenticated with it: decryption requires the same name. */
export const encryptReply = (text: string, name: string): string =>
  ENCRYPTED_PREFIX + encryptText(text, { key: encryptionKey(), name });

/**
 * Decrypts a reply. Returns null if it was encrypted with another key or name. A reply without the prefix `sealed:` is
 * not encrypted, and is returned unchanged.
 */
export const decryptReply = (encrypted: string, name: string): string | null => {
  if (!encrypted.startsWith(ENCRYPTED_PREFIX)) return encrypted;
  return decryptText(encrypted.slice(ENCRYPTED_PREFIX.length), { key: encryptionKey(), name });
};
