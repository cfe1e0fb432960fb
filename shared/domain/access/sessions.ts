/** Issues, lists and revokes tokens. */
import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { config } from '../../config.ts';
import { inTransaction } from '../../database/connection.ts';
import { readMany } from '../../database/raw-read.ts';
import { notFound } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { Token, TokenView } from '../../models/token.ts';
import { signToken, type TokenOptions } from '../../security/tokens.ts';
import { currentTime, currentTimeMs } from '../../time/clock.ts';
import { ADMIN_ROLES } from '../../wire/roles.ts';
import { projectionOf } from '../../wire/view.ts';
import { recordAccessChange } from './access-changes.ts';

/** The IP address and user agent of a sign-in. */
export interface SignInOrigin {
  ip: string;
  userAgent?: string;
}

const MAX_USER_AGENT_LENGTH = 300;

/** Issues a token and records it in the token history of its owner. */
export const issueSessionToken = async (
  claims: { _id: string } & Record<string, unknown>,
  options: TokenOptions & { project?: string },
  { ip, userAgent }: SignInOrigin = { ip: '' },
): Promise<string> => {
  const { jti = randomUUID() } = options;
  const expiresAt = new Date(currentTimeMs() + options.ttlSeconds * 1000);
  const agent = userAgent?.slice(0, MAX_USER_AGENT_LENGTH);
  const owner = { id_user: claims._id, ...(options.project ? { id_project: options.project } : {}) };
  await Token.create([{ jti, ...owner, ...(ip ? { ip } : {}), ...(agent ? { userAgent: agent } : {}), expiresAt }]);
  return signToken(claims, { ...options, jti });
};

/**
 * The fields of an account that its tokens carry. A password change increments `epoch`, which invalidates all tokens
 * issued earlier.
 */
export interface TokenAccount {
  _id: unknown;
  email: string;
  firstname?: string | null;
  lastname?: string | null;
  emailverified?: boolean | null;
  epoch?: number | null;
}

/** Returns the claims of an account's token. */
export const accountClaims = ({ _id, email, firstname, lastname, emailverified, epoch }: TokenAccount) => ({
  _id: String(_id),
  email,
  ...(firstname ? { firstname } : {}),
  ...(lastname ? { lastname } : {}),
  emailverified: Boolean(emailverified),
  epoch: epoch ?? 0,
});

/** Issues a token for a bot, signed with the bot's secret. Errors: 404 if the project does not have the bot. */
export const issueBotToken = async (id_project: string, id: string, origin?: SignInOrigin): Promise<string> => {
  const filter = { _id: id, id_project, trashed: false };
  const bot = await Bot.findOne(filter, { secret: 1, name: 1, type: 1 }).lean();
  if (!bot?.secret) throw notFound(`Chatbot not found with id ${id} for project ${id_project}`);
  const options = {
    sub: 'bot',
    ttlSeconds: config.TOKEN_TTL_SECONDS,
    signer: { kind: 'bots', id } as const,
    secret: bot.secret,
  };
  const { name, type } = bot;
  return issueSessionToken({ _id: id, id_project, name, type }, { ...options, project: id_project }, origin);
};

/**
 * Returns the filter for the tokens that a caller may see: its own, and those of bots and subscriptions in the projects
 * that it administers.
 */
const visibleTokensFilter = async ({ id, kind }: { id: string; kind: string }) => {
  // External users see no tokens: projects choose the ids of these users, so such an id could equal that of another
  // token owner.
  if (kind === 'userexternal') return { id_user: { $in: [] } };
  if (kind !== 'user') return { id_user: id };
  const admin = { id_user: id, role: { $in: [...ADMIN_ROLES] }, ...ACTIVE_MEMBER };
  // The query covers all projects; the user's id restricts it.
  const projects = await ProjectUser.distinct('id_project', admin, { anyProject: true });
  return { $or: [{ id_user: id }, { id_project: { $in: projects } }] };
};

type TokenViewer = Parameters<typeof visibleTokensFilter>[0];

/** The order of a list, and the page to return. */
interface TokenPage {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
}

/** Returns a page of the tokens that a caller may see, with their total count. */
export const listTokens = async (viewer: TokenViewer, { sort, skip, limit }: TokenPage) => {
  const visible = await visibleTokensFilter(viewer);
  const [count, tokens] = await Promise.all([
    Token.countDocuments(visible),
    readMany(Token, visible, { fields: projectionOf(TokenView), sort, skip, limit }),
  ]);
  return { perPage: limit, count, history: tokens };
};

/**
 * Revokes a token and returns its record. Every process rejects the token within one second. Revoking a revoked token
 * changes nothing.
 * Errors: 404 for a token that the caller may not see.
 */
export const revoke = async (viewer: TokenViewer, tokenKey: { jti: string } | { _id: string }) => {
  const visible = await visibleTokensFilter(viewer);
  const token = await inTransaction(async (session) => {
    const active = { ...tokenKey, ...visible, revokedAt: null };
    const revoked = await Token.findOneAndUpdate(active, { $set: { revokedAt: currentTime() } }, { session }).lean();
    if (revoked) await recordAccessChange({ jti: revoked.jti }, session);
    return Token.findOne({ ...tokenKey, ...visible }, projectionOf(TokenView), { session }).lean();
  });
  if (!token) throw notFound('Token not found');
  return token;
};

/**
 * Revokes all tokens of an account, bot or subscription within the caller's transaction. Every process rejects them
 * within one second of the commit.
 */
export const revokeTokens = async (id_user: string, session: ClientSession): Promise<void> => {
  await Token.updateMany({ id_user, revokedAt: null }, { $set: { revokedAt: currentTime() } }, { session });
  await recordAccessChange({ user: id_user }, session);
};
