/** Tokens as integrators and attackers make them. */
import { createHmac, randomUUID } from 'node:crypto';
import * as keys from '#shared/domain/access/keys.ts';
import type { Caller } from './api.ts';

type Fields = Record<string, unknown>;

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token of any header and payload, signed by HMAC with a secret or carrying a signature of one's own. */
export const forged = (
  payload: unknown,
  {
    header = {},
    secret = '',
    hash = 'sha256',
    signature,
  }: { header?: Fields; secret?: string; hash?: string; signature?: string } = {},
): string => {
  const text = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(payload)}`;
  return `${text}.${signature ?? createHmac(hash, secret).update(text).digest('base64url')}`;
};

/** A project's new secret. */
export const aKey = (project: string, overlap = 0): Promise<string> =>
  keys.generate(project, { createdBy: 'test', overlap });

/** What an integrator's token says of a user of its own. */
export const customClaims = (project: string, more: Fields = {}) => ({
  _id: `own-${randomUUID()}`,
  firstname: 'Own',
  lastname: 'User',
  email: 'own@example.com',
  sub: 'userexternal',
  aud: `https://tiledesk.com/projects/${project}`,
  ...more,
});

/** Somebody who calls with a token. */
export const bearing = (token: string, id = ''): Caller => ({ id, authorization: `JWT ${token}` });
