/** Bot endpoints, each under two paths because deployed clients rely on `/faq_kb`. */
import { z } from 'zod';
import { issueBotToken } from '#shared/domain/access/sessions.ts';
import * as bots from '#shared/domain/bots/bots.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import * as departments from '#shared/domain/departments/departments.ts';
import { BotView } from '#shared/models/bot.ts';
import { DepartmentView } from '#shared/models/department.ts';
import { flag } from '#shared/wire/coercion.ts';
import { optionalField } from '#shared/wire/view.ts';
import { compatibility } from '#shared/wire/compatibility.ts';
import { omitFields, omitUndefined } from '#shared/wire/omit-fields.ts';
import { countIssuedToken } from '../http/auth/count-calls.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { ALIAS_PATH, ALIAS_RECORD_PATH, BASE_PATH, RECORD_PATH } from './paths.ts';
import { NewBot } from './input.ts';
import changeEndpoints from './change-endpoints.ts';
import fileEndpoints from './file-endpoints.ts';

const Secret = z.string().meta({ description: 'Secret that signs the tokens of the bot' });

/** The fields of a bot that agents do not see. */
const HIDDEN_FROM_AGENTS = {
  webhook_enabled: true,
  intentsEngine: true,
  score: true,
  url: true,
  attributes: true,
  trained: true,
  certifiedTags: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
  __v: true,
} as const;

const ListedBotView = BotView.partial(HIDDEN_FROM_AGENTS);

type ListedBot = z.input<typeof ListedBotView>;

const HIDDEN_FIELDS = Object.keys(HIDDEN_FROM_AGENTS) as (keyof typeof HIDDEN_FROM_AGENTS)[];

const ListQuery = z.object({
  all: flag()
    .optional()
    .meta({ description: '`true`: includes the bot of the type `identity`, which represents the project' }),
  text: z
    .string()
    .max(INPUT_LIMITS.name)
    .optional()
    .meta({ description: 'Words to find in the name, description or tags' }),
  language: z.string().max(INPUT_LIMITS.languageCode).optional(),
  public: flag().optional(),
  certified: flag().optional(),
});

const BotWithDepartmentView = BotView.extend({ department: optionalField(DepartmentView) });

/** Adds to the record of a bot the department that the query names. Throws 404 for an unknown department. */
const withDepartment = async (project: string, bot: bots.StoredBot, departmentId?: string) =>
  departmentId
    ? {
        ...bot,
        department: (await departments.read(project, departmentId, { detailed: true })) as z.input<
          typeof DepartmentView
        >,
      }
    : bot;

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
    programs: 'all',
    summary:
      'List the bots, newest first. Agents see only some of the fields, and no bots whose `agents_available` is false',
    query: ListQuery,
    reply: z.array(ListedBotView),
    handle: async ({ project, query, actor }) => {
      const forAgents = actor.role === 'agent';
      const found: ListedBot[] = await bots.list(project, { ...query, forAgents });
      return forAgents ? found.map((bot) => omitFields(bot, HIDDEN_FIELDS)) : found;
    },
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    aliases: [{ path: ALIAS_PATH }],
    role: 'admin',
    summary: 'Create a bot with the intents of a template; the reply includes the secret of the bot',
    query: z.object({ skip_activity: flag().optional().meta({ description: '`true`: records no activity' }) }),
    body: NewBot,
    reply: BotView.extend({ secret: Secret }),
    handle: async ({ project, query, body: { template, namespace_id: namespace, external, ...body }, actor }) => {
      if (namespace) await namespaces.find(project, namespace);
      const settings = { ...omitUndefined(body), name: body.name, type: external ? 'external' : body.type };
      const options = { createdBy: actor.id, template, namespace, skipActivity: query.skip_activity };
      return bots.create(project, settings, options);
    },
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    aliases: [{ path: ALIAS_RECORD_PATH }],
    role: 'admin',
    programs: 'all',
    summary: 'Get a bot',
    query: z.object({
      departmentid: z.string().max(INPUT_LIMITS.name).optional().meta({ description: 'Id of a department to include' }),
    }),
    reply: BotWithDepartmentView,
    handle: async ({ project, params: { bot_id }, query }) =>
      withDepartment(project, await bots.read(project, bot_id), query.departmentid),
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
    programs: 'all',
    summary: 'Create a token for a bot, without the `JWT ` prefix',
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
  ...changeEndpoints,
  ...fileEndpoints,
];
