/** Bot endpoints, each under two paths because deployed clients rely on `/faq_kb`. */
import { z } from 'zod';
import { issueBotToken } from '#shared/domain/access/sessions.ts';
import * as bots from '#shared/domain/integrations/bots.ts';
import { BotView } from '#shared/models/bot.ts';
import { compatibility } from '#shared/wire/compatibility.ts';
import { countIssuedToken } from '../http/auth/authorize.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/bots';
const ALIAS_PATH = '/v3/:project_id/faq_kb';
const RECORD_PATH = `${BASE_PATH}/:bot_id` as const;
const ALIAS_RECORD_PATH = `${ALIAS_PATH}/:bot_id`;

const Secret = z.string().meta({ description: 'Secret that signs the tokens of the bot' });

/** A bot of the list. Agents do not see the optional fields. */
const ListedBotView = BotView.partial({ url: true, createdBy: true, createdAt: true, updatedAt: true, __v: true });

type ListedBot = z.input<typeof ListedBotView>;

const toAgentView = ({ _id, id_project, name, type, trashed }: ListedBot): ListedBot => ({
  _id,
  id_project,
  name,
  type,
  trashed,
});

const deleteBot = async (project: string, id: string) => {
  const bot = await bots.remove(project, id);
  return compatibility.deletedBotIsMessage
    ? { success: true, message: `Chatbot with id ${id} deleted successfully` }
    : bot;
};

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    aliases: [{ path: ALIAS_PATH }],
    role: 'agent',
    bots: true,
    summary: 'List the bots, newest first; agents get fewer fields',
    reply: z.array(ListedBotView),
    handle: async ({ project, actor }) => {
      const all: ListedBot[] = await bots.list(project);
      return actor.role === 'agent' ? all.map(toAgentView) : all;
    },
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    aliases: [{ path: ALIAS_PATH }],
    role: 'admin',
    summary: 'Create a bot; the reply includes its secret',
    body: z.object({
      name: z.string().trim().min(1).max(INPUT_LIMITS.name),
      type: z
        .string()
        .min(1)
        .max(INPUT_LIMITS.name)
        .default('internal')
        .meta({ description: '`internal` or `external`' }),
      url: z
        .url({ protocol: /^https?$/ })
        .max(INPUT_LIMITS.kbSource)
        .nullish()
        .meta({ description: 'URL of an external bot' }),
    }),
    reply: BotView.extend({ secret: Secret }),
    handle: ({ project, body: { url, ...bot }, actor }) =>
      bots.create(project, { ...bot, ...(url ? { url } : {}) }, actor.id),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    aliases: [{ path: ALIAS_RECORD_PATH }],
    role: 'admin',
    bots: true,
    summary: 'Get a bot',
    reply: BotView,
    handle: ({ project, params: { bot_id } }) => bots.read(project, bot_id),
  }),
  endpoint({
    method: 'get',
    path: `${RECORD_PATH}/secret`,
    aliases: [{ path: `${ALIAS_RECORD_PATH}/secret` }],
    role: 'admin',
    summary: 'Get the secret of a bot',
    reply: z.strictObject({ secret: Secret }),
    handle: async ({ project, params: { bot_id } }) => ({ secret: await bots.readSecret(project, bot_id) }),
  }),
  endpoint({
    method: 'put',
    path: `${RECORD_PATH}/secret`,
    aliases: [{ path: `${ALIAS_RECORD_PATH}/secret` }],
    record: { collection: 'bots', parameter: 'bot_id' },
    role: 'admin',
    summary: 'Replace the secret of a bot; tokens signed with the previous secret are revoked',
    reply: z.strictObject({ secret: Secret }),
    handle: async ({ project, params: { bot_id } }) => ({ secret: await bots.renewSecret(project, bot_id) }),
  }),
  endpoint({
    method: 'get',
    path: `${RECORD_PATH}/jwt`,
    aliases: [{ path: `${ALIAS_RECORD_PATH}/jwt` }],
    role: 'admin',
    bots: true,
    summary: 'Create a token of a bot, without the `JWT ` prefix',
    reply: z.strictObject({ jwt: z.string() }),
    handle: async ({ project, actor, params: { bot_id }, ip }) => {
      await bots.read(project, bot_id);
      await countIssuedToken(actor);
      return { jwt: await issueBotToken(project, bot_id, { ip }) };
    },
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    aliases: [{ path: ALIAS_RECORD_PATH }],
    record: { collection: 'bots', parameter: 'bot_id' },
    role: 'admin',
    summary: 'Delete a bot and revoke its tokens',
    reply: compatibility.deletedBotIsMessage ? z.strictObject({ success: z.boolean(), message: z.string() }) : BotView,
    handle: ({ project, params: { bot_id } }) => deleteBot(project, bot_id),
  }),
];
