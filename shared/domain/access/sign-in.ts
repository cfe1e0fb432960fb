import { randomUUID } from 'node:crypto';
import { config } from '../../config.ts';
import { emits } from '../../events.ts';
import { emitAccountEvents } from './account-events.ts';
import { accountClaims, issueSessionToken, type SignInOrigin, type TokenAccount } from './sessions.ts';

/** Signs an account in: issues a token and emits `user.signin`. The caller has checked the password. */
export const signIn = async (account: TokenAccount, origin: SignInOrigin): Promise<string> => {
  const jti = randomUUID();
  const options = { sub: 'user', ttlSeconds: config.TOKEN_TTL_SECONDS, jti } as const;
  const token = await issueSessionToken(accountClaims(account), options, origin);
  await emitAccountEvents(String(account._id), emits(['user.signin', { jti }]));
  return token;
};
