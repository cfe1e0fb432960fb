/** The credentials of chat clients for the realtime endpoint. */
import { config } from '#shared/config.ts';
import { accountClaims, issueSessionToken, type SignInOrigin } from '#shared/domain/access/sessions.ts';
import { User } from '#shared/models/user.ts';
import type { Actor } from '../http/auth/authenticate.ts';
import { countIssuedToken } from '../http/auth/count-calls.ts';

const findAccount = (id: string) =>
  User.findOne({ _id: id }, { email: 1, firstname: 1, lastname: 1, emailverified: 1, epoch: 1 }).orFail().lean();

/**
 * Returns the credentials with which a chat client connects to the realtime endpoint. After Basic authentication they
 * contain a new session token. Otherwise they contain the token of the call, because a caller with a token must not
 * obtain one that expires later.
 */
export const realtimeCredentials = async (actor: Actor, origin: SignInOrigin) => {
  const { id, kind, token, claims, fullname = '' } = actor;
  if (!token) await countIssuedToken(actor);
  const identity: Record<string, unknown> = kind === 'user' ? accountClaims(await findAccount(id)) : { ...claims };
  const [firstname, lastname] = [identity.firstname, identity.lastname].map((name) =>
    typeof name === 'string' ? name : '',
  );
  return {
    userid: id,
    fullname,
    firstname: firstname ?? '',
    lastname: lastname ?? '',
    token:
      token ??
      (await issueSessionToken(
        accountClaims(await findAccount(id)),
        { sub: 'user', ttlSeconds: config.TOKEN_TTL_SECONDS },
        origin,
      )),
  };
};
