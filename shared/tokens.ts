/** Tokens: JWT, always HS256; who signs them says the audience (contract a 2.2). */
import { createSecretKey, hkdfSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { config } from './config.ts';

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
const platformKey = (): KeyObject => {
  key ??= createSecretKey(Buffer.from(config.JWT_SECRET ?? keptSecret()));
  return key;
};

/** A key of this instance for one purpose: what is signed with it is good for nothing else. */
export const keyFor = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', platformKey(), '', purpose, 32));

/** What a checked token says. */
export interface Claims {
  _id: string;
  sub: string;
  jti?: string;
  iat?: number;
  exp?: number;
  [more: string]: unknown;
}

/** Who signs a token: this instance, or a project, bot or subscription with a secret of its own. */
export type Signer = { kind: 'platform' } | { kind: 'projects' | 'bots' | 'subscriptions'; id: string };

const audienceOf = (signer: Signer): string =>
  signer.kind === 'platform' ? ISSUER : `${ISSUER}/${signer.kind}/${signer.id}`;

/** Null for a token that is broken or not in force; a payload that is no JSON is a SyntaxError. */
const unlessBroken = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError || error instanceof SyntaxError) return null;
    throw error;
  }
};

const OWN = /^\/(projects|bots|subscriptions)\/([0-9a-f]{24})$/;

/** Whose key a token asks to be checked with, before anything in it is believed; null for one that cannot be ours. */
export const signerOf = (token: string): Signer | null => {
  const payload = unlessBroken(() => jwt.decode(token));
  const audience = payload && typeof payload === 'object' ? payload.aud : null;
  if (audience === ISSUER) return { kind: 'platform' };
  const path = typeof audience === 'string' && URL.canParse(audience) ? new URL(audience).pathname : '';
  const [, kind, id] = OWN.exec(path) ?? [];
  return kind && id ? { kind: kind as 'projects', id } : null;
};

/** Longest id that a project may give its own users. */
const ID_LENGTH = 200;

const isPrincipal = (id: unknown): id is string => typeof id === 'string' && id.length > 0 && id.length <= ID_LENGTH;

/** The claims of a token that was signed with this secret and is in force, else null. */
export const checked = (token: string, secret: KeyObject | string): Claims | null => {
  const signed = typeof secret === 'string' ? createSecretKey(Buffer.from(secret)) : secret;
  const claims = unlessBroken(() => jwt.verify(token, signed, { algorithms: ['HS256'] }) as Claims);
  return isPrincipal(claims?._id) && typeof claims?.sub === 'string' ? claims : null;
};

/** The claims of a token of this instance's that is in force, else null. */
export const verifyToken = (token: string): Claims | null => {
  const claims = checked(token, platformKey());
  return claims?.aud === ISSUER && claims.iss === ISSUER && typeof claims.exp === 'number' ? claims : null;
};

/** How a token is signed; `ttl` in seconds. */
export interface Terms {
  sub: string;
  ttl: number;
  jti?: string;
  /** Default: this instance, with its own secret. */
  signer?: Signer;
  secret?: string;
}

/** A new token for somebody. */
export const sign = (claims: { _id: string } & Record<string, unknown>, terms: Terms): string => {
  const { sub, ttl, jti = randomUUID(), signer = { kind: 'platform' }, secret } = terms;
  return jwt.sign(claims, secret === undefined ? platformKey() : createSecretKey(Buffer.from(secret)), {
    algorithm: 'HS256',
    issuer: ISSUER,
    audience: audienceOf(signer),
    subject: sub,
    jwtid: jti,
    expiresIn: ttl,
  });
};

/** A new token of this instance's; `ttl` in seconds. */
export const issueToken = (
  sub: 'user' | 'guest',
  claims: { _id: string } & Record<string, unknown>,
  ttl: number,
): string => sign(claims, { sub, ttl });
