import { config } from '#shared/config.ts';
import { begin, claimsOf, type Origin } from '#shared/domain/access/sessions.ts';
import { User } from '#shared/models/user.ts';
import type { Actor } from '../http/actor.ts';
import { countIssued } from '../http/issuing.ts';

const account = (id: string) =>
  User.findOne({ _id: id }, { email: 1, firstname: 1, lastname: 1, emailverified: 1, epoch: 1 }).orFail().lean();

/** What a chat client connects with after sign-in (decision 49): nobody is given a token that lasts longer than the one in use. */
export const credentialsOf = async (actor: Actor, origin: Origin) => {
  const { id, kind, token, claims, fullname = '' } = actor;
  if (!token) await countIssued(actor);
  const known: Record<string, unknown> = kind === 'user' ? claimsOf(await account(id)) : { ...claims };
  const [firstname, lastname] = [known.firstname, known.lastname].map((name) => (typeof name === 'string' ? name : ''));
  return {
    userid: id,
    fullname,
    firstname: firstname ?? '',
    lastname: lastname ?? '',
    token: token ?? (await begin(claimsOf(await account(id)), { sub: 'user', ttl: config.TOKEN_TTL }, origin)),
  };
};
