/** Tokens as integrators and attackers make them. */
import { createHmac, randomUUID } from 'node:crypto';
import * as keys from '#shared/domain/access/project-keys.ts';
import type { Caller } from './api.ts';

type TokenFields = Record<string, unknown>;

const encodePart = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token with any header and payload, signed with a secret (HMAC) or carrying the given signature. */
export const forgeToken = (
  payload: unknown,
  {
    header = {},
    secret = '',
    hash = 'sha256',
    signature,
  }: { header?: TokenFields; secret?: string; hash?: string; signature?: string } = {},
): string => {
  const text = `${encodePart({ alg: 'HS256', typ: 'JWT', ...header })}.${encodePart(payload)}`;
  return `${text}.${signature ?? createHmac(hash, secret).update(text).digest('base64url')}`;
};

/** Generates a new secret for a project; the previous secret stays valid for `overlap` seconds. */
export const aProjectKey = (project: string, overlap = 0): Promise<string> =>
  keys.generate(project, { createdBy: 'test', overlap });

/** Claims of an integrator's token for an external user. */
export const customClaims = (project: string, more: TokenFields = {}) => ({
  _id: `own-${randomUUID()}`,
  firstname: 'Own',
  lastname: 'User',
  email: 'own@example.com',
  sub: 'userexternal',
  aud: `https://tiledesk.com/projects/${project}`,
  ...more,
});

/** A caller with a token. */
export const withToken = (token: string, id = ''): Caller => ({ id, authorization: `JWT ${token}` });
