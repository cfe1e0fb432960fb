/** Copies bots to other projects. */
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { enqueue } from '../../queue/queue.ts';
import { insertBot, retryOnSlugCollision } from './bots.ts';
import { findExportable, withoutGlobals } from './export-bot.ts';
import { listOfBot } from './intents.ts';
import { copyIntents, settingsOf } from './publish-bot.ts';

/** Input of `fork`. */
interface Fork {
  /** The id of the bot to copy, and the project that must own the bot unless the bot is public. */
  source: { id_project: string; _id: string };
  /** The project that receives the copy. */
  target: string;
  /** Keeps `attributes.globals`, which may hold secrets of the bot's author. */
  globals?: boolean;
  /** Emits no `faqbot.created`, so that no activity is recorded. */
  forPublish?: boolean;
  createdBy: string;
}

/** Copies a bot with its intents to a project, and returns the id of the copy. Errors: 404 for an unknown bot. */
export const fork = async ({ source, target, globals, forPublish, createdBy }: Fork): Promise<string> => {
  const key = { id_project: target, _id: newId() };
  const bot = await findExportable(source.id_project, source._id);
  const intents = await listOfBot(bot.id_project, String(bot._id));
  const { description, subtype, url, ...settings } = settingsOf(globals ? bot : withoutGlobals(bot));
  const texts = { description: description ?? undefined, subtype: subtype ?? undefined, url: url ?? undefined };
  const copy = { ...settings, ...texts };
  await retryOnSlugCollision(() =>
    inTransaction(async (session) => {
      const options = { createdBy, template: 'empty', skipActivity: forPublish, session };
      await insertBot(key, copy as Parameters<typeof insertBot>[1], options);
      await copyIntents(intents, { id_project: target, bot: key._id, language: bot.language, createdBy }, session);
    }),
  );
  await enqueue('bulk.embed-phrases', { id_project: target, bot: key._id });
  return key._id;
};
