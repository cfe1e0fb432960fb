/** Endpoints that export, import and copy bots. */
import { z } from 'zod';
import { read as readBot } from '#shared/domain/bots/bots.ts';
import { exportBot } from '#shared/domain/bots/export-bot.ts';
import { fork } from '#shared/domain/bots/fork-bot.ts';
import { type ImportOptions, importBot, planOf } from '#shared/domain/bots/import-bot.ts';
import { BotView } from '#shared/models/bot.ts';
import { flag } from '#shared/wire/coercion.ts';
import { optionalField } from '#shared/wire/view.ts';
import { type Actor, hasRole, resolveMember } from '../http/auth/authenticate.ts';
import { Download, endpoint } from '../http/endpoint.ts';
import type { Upload } from '../http/request/accepted-upload.ts';
import { notMember, roleTooLow } from '../http/response/errors.ts';
import { INPUT_LIMITS } from '../input-limits.ts';
import { readImportedBot } from './imported-bot.ts';
import { ALIAS_PATH, BASE_PATH } from './paths.ts';

/** Schema of a flag that deployed clients also send as the string `null`. */
const nullableFlag = () => z.preprocess((value) => (value === 'null' ? undefined : value), flag().optional());

const GlobalsFlag = z
  .string()
  .max(INPUT_LIMITS.name)
  .optional()
  .meta({ description: 'Any value: keep `attributes.globals`, which may contain secrets' });

const ImportReply = BotView.partial().extend({
  dry_run: optionalField(z.literal(true)),
  changes: optionalField(
    z.strictObject({
      bot: z.record(z.string(), z.unknown()).meta({ description: 'The fields of the bot that would be set' }),
      intents: z.record(z.enum(['created', 'replaced', 'kept', 'deleted']), z.array(z.string())),
    }),
  ),
});

async function* asPieces(text: string): AsyncGenerator<string> {
  yield text;
}

/** Throws 403 unless the caller may create bots in the project. */
const assertAdminOf = async (actor: Actor, project: string): Promise<void> => {
  const member = await resolveMember(actor, project);
  if (!member) throw notMember();
  if (!hasRole(member.role, 'admin')) throw roleTooLow();
};

export default [
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/exportjson/:bot_id`,
    aliases: [{ path: `${ALIAS_PATH}/exportjson/:bot_id` }],
    role: 'admin',
    summary: 'Export a bot with its intents as JSON',
    query: z.object({
      intentsOnly: flag().optional().meta({ description: '`true`: exports only the intents' }),
      globals: GlobalsFlag,
    }),
    downloads: 'application/json',
    reply: z.record(z.string(), z.unknown()),
    handle: async ({ project, params: { bot_id }, query: { intentsOnly, globals } }) => {
      const text = await exportBot(project, bot_id, { intentsOnly, globals: Boolean(globals) });
      return new Download(asPieces(text), intentsOnly ? 'intents.json' : 'bot.json');
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/importjson/:bot_id`,
    aliases: [{ path: `${ALIAS_PATH}/importjson/:bot_id` }],
    record: { collection: 'bots', parameter: 'bot_id' },
    role: 'admin',
    summary: 'Import an exported bot into a new or an existing bot, completely or not at all',
    query: z.object({
      create: nullableFlag().meta({ description: '`true`: creates a bot; the id in the path is ignored' }),
      replace: nullableFlag().meta({ description: '`true`: deletes the intents of the bot first' }),
      overwrite: nullableFlag().meta({ description: '`true`: replaces intents that have the same name' }),
      intentsOnly: nullableFlag().meta({ description: '`true`: imports only the intents' }),
      dry_run: nullableFlag().meta({ description: '`true`: returns what would change, and changes nothing' }),
    }),
    uploads: { type: 'application/json', maxBytes: INPUT_LIMITS.botFileBytes },
    errors: { 409: 'Two intents would have the same `intent_id`' },
    reply: ImportReply,
    handle: async ({ project, params: { bot_id: _id }, query: { dry_run, ...options }, upload, actor }) => {
      const key = { id_project: project, _id };
      if (!options.create) await readBot(project, _id);
      const imported = await readImportedBot(upload as Upload);
      const importOptions: ImportOptions = { ...options, createdBy: actor.id };
      if (dry_run) return { dry_run: true as const, changes: await planOf(key, imported, importOptions) };
      return importBot(key, imported, importOptions);
    },
  }),
  endpoint({
    method: 'post',
    path: `${BASE_PATH}/fork/:bot_id`,
    aliases: [
      { method: 'put' },
      { path: `${ALIAS_PATH}/fork/:bot_id` },
      { method: 'put', path: `${ALIAS_PATH}/fork/:bot_id` },
    ],
    role: 'admin',
    summary: 'Copy a bot of the project, or a public bot of any project, to a project in which you are an admin',
    query: z.object({
      projectid: z
        .string()
        .max(INPUT_LIMITS.name)
        .optional()
        .meta({ description: 'Id of the project that receives the copy. Default: the project in the path' }),
      public: nullableFlag().meta({ description: 'Ignored: public bots and bots of the project can both be copied' }),
      globals: GlobalsFlag,
      for_publish: nullableFlag().meta({ description: '`true`: records no activity' }),
    }),
    body: z.object({}),
    reply: z.strictObject({ message: z.string(), bot_id: z.string() }),
    handle: async ({ project, params: { bot_id: _id }, query, actor }) => {
      const { projectid: target = project, globals, for_publish: forPublish } = query;
      await assertAdminOf(actor, target);
      const source = { id_project: project, _id };
      const bot_id = await fork({ source, target, globals: Boolean(globals), forPublish, createdBy: actor.id });
      return { message: 'Chatbot forked successfully', bot_id };
    },
  }),
];
