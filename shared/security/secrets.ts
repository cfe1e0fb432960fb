/** Encrypts stored passwords and keys for other systems, with a key derived from `SECRETS_KEY` or `JWT_SECRET`. */
import { createHmac, hkdfSync } from 'node:crypto';
import { config } from '../config.ts';
import { decryptText, encryptText } from './encryption.ts';
import { deriveKey } from './tokens.ts';

const PURPOSE = 'stored secrets';
const KEY_BYTES = 32;

let cachedKey: Buffer | undefined;
const secretsKey = (): Buffer =>
  (cachedKey ??= config.SECRETS_KEY
    ? Buffer.from(hkdfSync('sha256', config.SECRETS_KEY, '', PURPOSE, KEY_BYTES))
    : deriveKey(PURPOSE));

/** Encrypts a secret. `name` identifies its owner; decryption requires the same name. */
export const encryptSecret = (secret: string, name: string): string => encryptText(secret, { key: secretsKey(), name });

/** Decrypts a secret. Returns null if the key has changed or the name differs. */
export const decryptSecret = (encrypted: string, name: string): string | null =>
  decryptText(encrypted, { key: secretsKey(), name });

/**
 * Identifies the key without revealing it, so that the restore of a backup can check whether the secrets in it were
 * encrypted with the same key.
 */
export const secretsKeyId = (): string =>
  createHmac('sha256', secretsKey()).update('key id').digest('hex').slice(0, 16);
