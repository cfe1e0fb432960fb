/** Bots (contract c 6, decisions 13 and 35), under two names (decision 38). */
import { z } from 'zod';
import * as bots from '#shared/domain/team/bots.ts';
import { issueBotToken } from '#shared/domain/access/sessions.ts';
import { BotView } from '#shared/models/bot.ts';
import { wire } from '#shared/wire-profile.ts';
import { endpoint } from '../http/endpoint.ts';
import { countIssued } from '../http/issuing.ts';
import { LIMITS } from '../limits.ts';

const ROOT = '/v3/:project_id/bots';
const ALIAS = '/v3/:project_id/faq_kb';
const ONE = `${ROOT}/:bot_id` as const;
const ALIAS_ONE = `${ALIAS}/:bot_id`;

const Secret = z.string().meta({ description: "Signs the bot's tokens" });

/** What agents see of a bot: not what only its makers need. */
const ListedBotView = BotView.partial({ url: true, createdBy: true, createdAt: true, updatedAt: true, __v: true });

type Listed = z.input<typeof ListedBotView>;

const forAgents = ({ _id, id_project, name, type, trashed }: Listed): Listed => ({
  _id,
  id_project,
  name,
  type,
  trashed,
});

const deleted = async (project: string, id: string) => {
  const bot = await bots.remove(project, id);
  return wire.deletedBotIsMessage ? { success: true, message: `Chatbot with id ${id} deleted successfully` } : bot;
};

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    aliases: [{ path: ALIAS }],
    role: 'agent',
    bots: true,
    summary: 'The bots, the latest first; agents see less of each',
    reply: z.array(ListedBotView),
    handle: async ({ project, actor }) => {
      const all: Listed[] = await bots.list(project);
      return actor.role === 'agent' ? all.map(forAgents) : all;
    },
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    aliases: [{ path: ALIAS }],
    role: 'admin',
    summary: 'Make a bot; only this answer tells its secret',
    body: z.object({
      name: z.string().trim().min(1).max(LIMITS.name),
      type: z.string().min(1).max(LIMITS.name).default('internal').meta({ description: '`internal` or `external`' }),
      url: z
        .url({ protocol: /^https?$/ })
        .max(LIMITS.kbSource)
        .nullish()
        .meta({ description: 'Of an external bot' }),
    }),
    reply: BotView.extend({ secret: Secret }),
    handle: ({ project, body: { url, ...bot }, actor }) =>
      bots.create(project, { ...bot, ...(url ? { url } : {}) }, actor.id),
  }),
  endpoint({
    method: 'get',
    path: ONE,
    aliases: [{ path: ALIAS_ONE }],
    role: 'admin',
    bots: true,
    summary: 'One bot',
    reply: BotView,
    handle: ({ project, params: { bot_id } }) => bots.read(project, bot_id),
  }),
  endpoint({
    method: 'get',
    path: `${ONE}/secret`,
    aliases: [{ path: `${ALIAS_ONE}/secret` }],
    role: 'admin',
    summary: 'The secret of a bot',
    reply: z.strictObject({ secret: Secret }),
    handle: async ({ project, params: { bot_id } }) => ({ secret: await bots.secretOf(project, bot_id) }),
  }),
  endpoint({
    method: 'put',
    path: `${ONE}/secret`,
    aliases: [{ path: `${ALIAS_ONE}/secret` }],
    record: { in: 'bots', by: 'bot_id' },
    role: 'admin',
    summary: 'Replace the secret of a bot; tokens signed with the one before end at once',
    reply: z.strictObject({ secret: Secret }),
    handle: async ({ project, params: { bot_id } }) => ({ secret: await bots.renewSecret(project, bot_id) }),
  }),
  endpoint({
    method: 'get',
    path: `${ONE}/jwt`,
    aliases: [{ path: `${ALIAS_ONE}/jwt` }],
    role: 'admin',
    bots: true,
    summary: 'A token of a bot, without the word JWT',
    reply: z.strictObject({ jwt: z.string() }),
    handle: async ({ project, actor, params: { bot_id }, ip }) => {
      await bots.read(project, bot_id);
      await countIssued(actor);
      return { jwt: await issueBotToken(project, bot_id, { ip }) };
    },
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    aliases: [{ path: ALIAS_ONE }],
    record: { in: 'bots', by: 'bot_id' },
    role: 'admin',
    summary: 'Delete a bot; its tokens end with it',
    reply: wire.deletedBotIsMessage ? z.strictObject({ success: z.boolean(), message: z.string() }) : BotView,
    handle: ({ project, params: { bot_id } }) => deleted(project, bot_id),
  }),
];
