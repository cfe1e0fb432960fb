/**
 * Exports bots as JSON. All exports of an unchanged bot have the same bytes, even after one of them has been imported
 * into the bot.
 */
import { Bot } from '../../models/bot.ts';
import { isId } from '../../wire/view.ts';
import { BOT_FIELDS, botNotFound, type StoredBot } from './bots.ts';
import { listOfBot, type StoredIntent } from './intents.ts';

const EXPORTED_BOT_FIELDS = [
  'webhook_enabled',
  'webhook_url',
  'language',
  'name',
  'slug',
  'type',
  'subtype',
  'url',
  'description',
  'attributes',
];
const EXPORTED_INTENT_FIELDS = [
  'webhook_enabled',
  'enabled',
  'question',
  'answer',
  'intent_display_name',
  'intent_id',
  'language',
  'topic',
  'status',
  'reply',
  'form',
  'actions',
  'attributes',
  'agents_available',
];

/** The parts of a bot that an export contains. */
interface ExportOptions {
  intentsOnly?: boolean;
  /** Keeps `attributes.globals`, which may hold secrets of the bot's author. */
  globals?: boolean;
}

const pick = (record: object, names: readonly string[]): Record<string, unknown> => {
  const fields = record as Record<string, unknown>;
  return Object.fromEntries(names.flatMap((name) => (fields[name] == null ? [] : [[name, fields[name]]])));
};

/** Returns a bot without `attributes.globals`. */
export const withoutGlobals = ({ attributes, ...bot }: StoredBot): StoredBot => {
  if (!attributes) return bot;
  const { globals: _, ...rest } = attributes;
  return { ...bot, attributes: rest };
};

const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const exportIntents = (intents: StoredIntent[]) =>
  intents
    .toSorted((one, other) => compareText(one.intent_display_name, other.intent_display_name))
    .map((intent) => pick(intent, EXPORTED_INTENT_FIELDS));

/** Returns the exported fields of a bot and of its intents. The intents are sorted by name. */
export const exportContent = (bot: StoredBot, intents: StoredIntent[], { intentsOnly, globals }: ExportOptions) => {
  const exported = { intents: exportIntents(intents) };
  return intentsOnly ? exported : { ...pick(globals ? bot : withoutGlobals(bot), EXPORTED_BOT_FIELDS), ...exported };
};

/**
 * Reads a bot of the project, or a public bot of any project. Errors: 404 for an unknown bot, and for a bot of another
 * project that is not public.
 */
export const findExportable = async (id_project: string, _id: string): Promise<StoredBot> => {
  const anyProject = { anyProject: true }; // public bots may be read by every project
  const filter = { _id, trashed: false, $or: [{ id_project }, { public: true }] };
  const bot = isId(_id) ? await Bot.findOne(filter, BOT_FIELDS, anyProject).lean() : null;
  if (!bot) throw botNotFound(id_project, _id);
  return bot;
};

/** Exports a bot with its intents, or only the intents, as JSON. Errors: 404 for an unknown bot. */
export const exportBot = async (id_project: string, _id: string, options: ExportOptions): Promise<string> => {
  const bot = await findExportable(id_project, _id);
  const intents = await listOfBot(bot.id_project, String(bot._id));
  return JSON.stringify(exportContent(bot, intents, options));
};
