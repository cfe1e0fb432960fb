/** Signs and verifies tokens: JWT with HS256. The audience claim names the signer. */
import { createSecretKey, hkdfSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { config } from '../config.ts';
import { currentTimeMs } from '../time/clock.ts';

/** Issuer and audience of tokens of this instance; deployed clients rely on the value. */
const ISSUER = 'https://tiledesk.com';

const storedSecret = (): string => {
  const file = join(config.DATA_DIR, 'jwt-secret');
  mkdirSync(config.DATA_DIR, { recursive: true });
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8');
};

let key: KeyObject | undefined;
const platformKey = (): KeyObject => {
  key ??= createSecretKey(Buffer.from(config.JWT_SECRET ?? storedSecret()));
  return key;
};

/** Derives a key for one purpose from the secret of this instance. Keys of different purposes are independent. */
export const deriveKey = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', platformKey(), '', purpose, 32));

/** The claims of a verified token. */
export interface TokenClaims {
  _id: string;
  sub: string;
  jti?: string;
  iat?: number;
  exp?: number;
  [claim: string]: unknown;
}

/** The signer of a token: this instance, or a project, bot or subscription with its own secret. */
export type TokenSigner = { kind: 'platform' } | { kind: 'projects' | 'bots' | 'subscriptions'; id: string };

const audienceOf = (signer: TokenSigner): string =>
  signer.kind === 'platform' ? ISSUER : `${ISSUER}/${signer.kind}/${signer.id}`;

/**
 * Returns the result of `read`, or null if `read` throws because the token is malformed, expired or incorrectly signed.
 * (For a payload that is not JSON, `read` throws a SyntaxError.)
 */
const nullIfInvalid = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError || error instanceof SyntaxError) return null;
    throw error;
  }
};

const SIGNER_PATH = /^\/(projects|bots|subscriptions)\/([0-9a-f]{24})$/;

/** Returns the signer that an unverified token claims, to select the verification key; null if it is unknown. */
export const peekSigner = (token: string): TokenSigner | null => {
  const payload = nullIfInvalid(() => jwt.decode(token));
  const audience = payload && typeof payload === 'object' ? payload.aud : null;
  if (audience === ISSUER) return { kind: 'platform' };
  const path = typeof audience === 'string' && URL.canParse(audience) ? new URL(audience).pathname : '';
  const [, kind, id] = SIGNER_PATH.exec(path) ?? [];
  return kind && id ? { kind: kind as 'projects', id } : null;
};

/** Maximum length of the id of a principal; projects choose the ids of their own users. */
const MAX_ID_LENGTH = 200;

const isPrincipalId = (id: unknown): id is string =>
  typeof id === 'string' && id.length > 0 && id.length <= MAX_ID_LENGTH;

const currentSeconds = (): number => Math.floor(currentTimeMs() / 1000);

/** Returns the claims of a token if it was signed with this secret and is currently valid, otherwise null. */
export const verifyWithSecret = (token: string, secret: KeyObject | string): TokenClaims | null => {
  const verificationKey = typeof secret === 'string' ? createSecretKey(Buffer.from(secret)) : secret;
  const options = { algorithms: ['HS256' as const], clockTimestamp: currentSeconds() };
  const claims = nullIfInvalid(() => jwt.verify(token, verificationKey, options) as TokenClaims);
  return isPrincipalId(claims?._id) && typeof claims?.sub === 'string' ? claims : null;
};

/** Returns the claims of a token if this instance signed it and it is currently valid, otherwise null. */
export const verifyToken = (token: string): TokenClaims | null => {
  const claims = verifyWithSecret(token, platformKey());
  return claims?.aud === ISSUER && claims.iss === ISSUER && typeof claims.exp === 'number' ? claims : null;
};

/** Options for a new token. */
export interface TokenOptions {
  sub: string;
  ttlSeconds: number;
  jti?: string;
  /** Default: this instance. Any other signer requires its `secret`. */
  signer?: TokenSigner;
  secret?: string;
}

/** Signs a new token. */
export const signToken = (claims: { _id: string } & Record<string, unknown>, options: TokenOptions): string => {
  const { sub, ttlSeconds, jti = randomUUID(), signer = { kind: 'platform' }, secret } = options;
  const signingKey = secret === undefined ? platformKey() : createSecretKey(Buffer.from(secret));
  return jwt.sign({ ...claims, iat: currentSeconds() }, signingKey, {
    algorithm: 'HS256',
    issuer: ISSUER,
    audience: audienceOf(signer),
    subject: sub,
    jwtid: jti,
    expiresIn: ttlSeconds,
  });
};

/** Signs a new sign-in token of this instance. */
export const issueToken = (
  sub: 'user' | 'guest',
  claims: { _id: string } & Record<string, unknown>,
  ttlSeconds: number,
): string => signToken(claims, { sub, ttlSeconds });
