import { callFor, isHeard, isOnItsWay } from '#shared/domain/conversations/bot-calls.ts';
import type { Processor } from '#shared/jobs.ts';
import { postToBot } from '../steps/post-to-bot.ts';

/** A message of a conversation that a bot takes part in is told to the bot. */
const callBot: Processor<'events.call-bot'> = async ({ id_project, record }) => {
  const call = await callFor(id_project, record);
  if (!call) return;
  await isOnItsWay(id_project, record);
  await postToBot(call, record);
  await isHeard(id_project, record, call.bot);
};
export default callBot;
