/** Tokens as they are issued, listed and revoked (contract a 2.5, decision 12). */
import { randomUUID } from 'node:crypto';
import { config } from '../../config.ts';
import { notFound } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { Token, TokenView } from '../../models/token.ts';
import { inTransaction } from '../../mongo.ts';
import { readMany } from '../../read.ts';
import { sign, type Terms } from '../../tokens.ts';
import { fieldsOf } from '../../view.ts';
import { accessChanged } from './access.ts';

/** From where somebody signs in. */
export interface Origin {
  ip: string;
  userAgent?: string;
}

const MOST_AGENT = 300;

/** Issue a token and note it in its owner's history. */
export const begin = async (
  claims: { _id: string } & Record<string, unknown>,
  terms: Terms & { project?: string },
  { ip, userAgent }: Origin = { ip: '' },
): Promise<string> => {
  const jti = randomUUID();
  const expiresAt = new Date(Date.now() + terms.ttl * 1000);
  const agent = userAgent?.slice(0, MOST_AGENT);
  const owner = { id_user: claims._id, ...(terms.project ? { id_project: terms.project } : {}) };
  await Token.create([{ jti, ...owner, ...(ip ? { ip } : {}), ...(agent ? { userAgent: agent } : {}), expiresAt }]);
  return sign(claims, { ...terms, jti });
};

/** What an account's token is made of: `epoch` ends it with the password it was issued under. */
export interface SignedIn {
  _id: unknown;
  email: string;
  firstname?: string | null;
  lastname?: string | null;
  emailverified?: boolean | null;
  epoch?: number | null;
}

/** What the token of an account says. */
export const claimsOf = ({ _id, email, firstname, lastname, emailverified, epoch }: SignedIn) => ({
  _id: String(_id),
  email,
  ...(firstname ? { firstname } : {}),
  ...(lastname ? { lastname } : {}),
  emailverified: Boolean(emailverified),
  epoch: epoch ?? 0,
});

/** A bot's token, signed with its secret; 404 for a bot that the project does not have. */
export const issueBotToken = async (id_project: string, id: string, origin?: Origin): Promise<string> => {
  const filter = { _id: id, id_project, trashed: false };
  const bot = await Bot.findOne(filter, { secret: 1, name: 1, type: 1 }).lean();
  if (!bot?.secret) throw notFound(`Chatbot not found with id ${id} for project ${id_project}`);
  const terms = { sub: 'bot', ttl: config.TOKEN_TTL, signer: { kind: 'bots', id } as const, secret: bot.secret };
  const { name, type } = bot;
  return begin({ _id: id, id_project, name, type }, { ...terms, project: id_project }, origin);
};

/** To how many milliseconds `lastUsedAt` is kept. */
const COARSE_MS = 300_000;

/** True unless the token was revoked; notes that it is in use. Tokens that are not in the history end by their expiry alone. */
export const isInForce = async (jti: string): Promise<boolean> => {
  const record = await Token.findOne({ jti }, { revokedAt: 1, lastUsedAt: 1 }).lean();
  if (!record) return true;
  if (record.revokedAt) return false;
  const now = Date.now();
  if ((record.lastUsedAt?.getTime() ?? 0) < now - COARSE_MS)
    await Token.updateOne({ jti }, { $set: { lastUsedAt: new Date(now) } });
  return true;
};

/** Which tokens somebody sees: the own ones, and those of the bots and subscriptions of the projects it administrates. */
const visibleTo = async ({ id, kind }: { id: string; kind: string }) => {
  if (kind === 'userexternal') return { id_user: { $in: [] } }; // its project names it as it likes, and signs its tokens
  if (kind !== 'user') return { id_user: id };
  const admin = { id_user: id, role: { $in: ['admin', 'owner'] }, status: 'active', trashed: false } as const;
  // Whose memberships they are is the border.
  const projects = await ProjectUser.distinct('id_project', admin, { anyProject: true });
  return { $or: [{ id_user: id }, { id_project: { $in: projects } }] };
};

type Who = Parameters<typeof visibleTo>[0];

/** The part of a list that is wanted. */
interface Part {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
}

/** A page of the tokens that somebody sees, and how many there are. */
export const history = async (who: Who, { sort, skip, limit }: Part) => {
  const visible = await visibleTo(who);
  const [count, tokens] = await Promise.all([
    Token.countDocuments(visible),
    readMany(Token, visible, { fields: fieldsOf(TokenView), sort, skip, limit }),
  ]);
  return { perPage: limit, count, history: tokens };
};

/** End a token, in every process within a second; 404 for one that somebody does not see. Ending it again changes nothing. */
export const revoke = async (who: Who, which: { jti: string } | { _id: string }) => {
  const visible = await visibleTo(who);
  const token = await inTransaction(async (session) => {
    const open = { ...which, ...visible, revokedAt: null };
    const ended = await Token.findOneAndUpdate(open, { $set: { revokedAt: new Date() } }, { session }).lean();
    if (ended) await accessChanged({ jti: ended.jti }, session);
    return Token.findOne({ ...which, ...visible }, fieldsOf(TokenView), { session }).lean();
  });
  if (!token) throw notFound('Token not found');
  return token;
};
