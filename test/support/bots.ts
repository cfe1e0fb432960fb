/** Bots to test with: records of the project, each with its own token. */
import { issueBotToken } from '#shared/domain/access/sessions.ts';
import { Bot } from '#shared/models/bot.ts';
import type { Caller } from './api.ts';
import { bearing } from './tokens.ts';

/** A bot of the project. */
export const aBot = async (project: string, more: { type?: string; url?: string } = {}): Promise<Caller> => {
  const [bot] = await Bot.create([{ id_project: project, name: 'Robbie', createdBy: 'test', ...more }]);
  const id = String(bot?._id);
  return bearing(await issueBotToken(project, id), id);
};
