/**
 * Limits concurrent bot calls. Each call holds one slot of its bot and one of its project; unique indexes prevent two
 * calls from holding the same slot.
 */
import { BotCall } from '../../../models/bot-call.ts';

const SLOTS_PER_BOT = 4;
const SLOTS_PER_PROJECT = 16;

/** A conversation with one of its bots. Its calls are made one after another. */
export interface BotConversation {
  id_project: string;
  bot: string;
  conversation: string;
}

/** A slot of the bot and a slot of the project. */
export interface BotCallSlots {
  bot_slot: number;
  project_slot: number;
}

/** Returns a random free slot from 0 to `count` - 1, or undefined if all are taken. */
const pickFree = (count: number, taken: (number | null | undefined)[]): number | undefined => {
  const free = Array.from({ length: count }, (_, slot) => slot).filter((slot) => !taken.includes(slot));
  return free[Math.floor(Math.random() * free.length)];
};

const inProgressFilter = (id_project: string) => ({ id_project, project_slot: { $exists: true } });

const callsInProgress = (id_project: string) =>
  BotCall.find(inProgressFilter(id_project), { bot: 1, bot_slot: 1, project_slot: 1, dueAt: 1 }).lean();

/** Releases the slots of workers whose leases have expired. */
const releaseExpired = async (id_project: string): Promise<void> => {
  const expired = { ...inProgressFilter(id_project), dueAt: { $lte: new Date() } };
  await BotCall.updateMany(expired, { $unset: { holder: 1, bot_slot: 1, project_slot: 1 } });
};

/** Returns two random slots without a query. With few concurrent calls they are usually free. */
export const randomSlots = (): BotCallSlots => ({
  bot_slot: Math.floor(Math.random() * SLOTS_PER_BOT),
  project_slot: Math.floor(Math.random() * SLOTS_PER_PROJECT),
});

/** Returns two free slots, or null if the bot or the project has none. */
export const findFreeSlots = async ({ id_project, bot }: BotConversation): Promise<BotCallSlots | null> => {
  let calls = await callsInProgress(id_project);
  if (calls.some(({ dueAt }) => dueAt && dueAt <= new Date())) {
    await releaseExpired(id_project);
    calls = await callsInProgress(id_project);
  }
  const own = calls.filter((call) => call.bot === bot);
  const bot_slot = pickFree(
    SLOTS_PER_BOT,
    own.map((call) => call.bot_slot),
  );
  const project_slot = pickFree(
    SLOTS_PER_PROJECT,
    calls.map((call) => call.project_slot),
  );
  return bot_slot === undefined || project_slot === undefined ? null : { bot_slot, project_slot };
};

/**
 * Returns the conversation that has waited longest for a slot, among those whose bots have a free slot; null if there
 * is no such conversation.
 */
export const findLongestWaiting = async (id_project: string): Promise<BotConversation | null> => {
  const used = Map.groupBy(await callsInProgress(id_project), ({ bot }) => bot);
  const full = [...used].filter(([, calls]) => calls.length >= SLOTS_PER_BOT).map(([bot]) => bot);
  const waiting = { id_project, waitingSince: { $exists: true }, bot: { $nin: full } };
  return BotCall.findOne(waiting, { _id: 0, id_project: 1, bot: 1, conversation: 1 }).sort({ waitingSince: 1 }).lean();
};

/** Marks a conversation as waiting for a slot. */
export const markWaiting = async (key: BotConversation): Promise<void> => {
  const next = { ...key, dueAt: { $exists: true } };
  await BotCall.findOneAndUpdate(next, { $min: { waitingSince: new Date() } }, { sort: { position: 1 } });
};
