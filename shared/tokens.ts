/** Sign-in tokens: JWT, HS256 with one platform secret (contract 5, part a 2). */
import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { config } from './config.ts';
import { Recent } from './recent.ts';

/** Issuer and audience of our tokens, as known clients read them. */
const ISSUER = 'https://tiledesk.com';

const keptSecret = (): string => {
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
const secret = (): KeyObject => {
  key ??= createSecretKey(Buffer.from(config.JWT_SECRET ?? keptSecret()));
  return key;
};

/** What a checked token says. */
export interface Claims {
  _id: string;
  sub: 'user' | 'guest';
  jti: string;
  iat: number;
  exp: number;
  email?: string;
  firstname?: string;
  lastname?: string;
  fullName?: string;
}

/** A new token; `ttl` in seconds. */
export const issueToken = (
  sub: Claims['sub'],
  claims: { _id: string } & Record<string, unknown>,
  ttl: number,
): string =>
  jwt.sign(claims, secret(), {
    algorithm: 'HS256',
    issuer: ISSUER,
    audience: ISSUER,
    subject: sub,
    jwtid: randomUUID(),
    expiresIn: ttl,
  });

const verified = new Recent<Claims>({ ttlMs: 3_600_000, max: 10_000 });

const check = (token: string): Claims | null => {
  try {
    const claims = jwt.verify(token, secret(), { algorithms: ['HS256'], audience: ISSUER, issuer: ISSUER }) as Claims;
    return typeof claims._id === 'string' && (claims.sub === 'user' || claims.sub === 'guest') ? claims : null;
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError) return null;
    throw error;
  }
};

/** The claims of a token that is ours and in force, else null. */
export const verifyToken = (token: string): Claims | null => {
  const known = verified.get(token);
  if (known) return known;
  const claims = check(token);
  if (claims) verified.set(token, claims, claims.exp * 1000 - Date.now());
  return claims;
};
