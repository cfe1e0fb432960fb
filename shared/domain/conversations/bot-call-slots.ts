/** How many calls of bots are made at once: a slot of the bot and one of the project for each, kept apart by unique indexes. */
import { BotCall } from '../../models/bot-call.ts';

const PER_BOT = 4;
const PER_PROJECT = 16;

/** A conversation with a bot: its calls are made one after the other. */
export interface BotConversation {
  id_project: string;
  bot: string;
  conversation: string;
}

/** A slot of the bot and one of the project. */
export interface Slots {
  bot_slot: number;
  project_slot: number;
}

/** Some number below `most` that is not taken; undefined where all are. */
const pick = (most: number, taken: (number | null | undefined)[]): number | undefined => {
  const free = Array.from({ length: most }, (_, at) => at).filter((at) => !taken.includes(at));
  return free[Math.floor(Math.random() * free.length)];
};

const beingMade = (id_project: string) => ({ id_project, project_slot: { $exists: true } });

const inUse = (id_project: string) =>
  BotCall.find(beingMade(id_project), { bot: 1, bot_slot: 1, project_slot: 1, due: 1 }).lean();

/** Free the slots of workers whose leases are over. */
const release = async (id_project: string): Promise<void> => {
  const silent = { ...beingMade(id_project), due: { $lte: new Date() } };
  await BotCall.updateMany(silent, { $unset: { holder: 1, bot_slot: 1, project_slot: 1 } });
};

/** Any two slots: where few calls are made at once they are free. */
export const anySlots = (): Slots => ({
  bot_slot: Math.floor(Math.random() * PER_BOT),
  project_slot: Math.floor(Math.random() * PER_PROJECT),
});

/** Two slots that are free; null where the bot or the project has none. */
export const freeSlots = async ({ id_project, bot }: BotConversation): Promise<Slots | null> => {
  let calls = await inUse(id_project);
  if (calls.some(({ due }) => due && due <= new Date())) {
    await release(id_project);
    calls = await inUse(id_project);
  }
  const own = calls.filter((call) => call.bot === bot);
  const bot_slot = pick(
    PER_BOT,
    own.map((call) => call.bot_slot),
  );
  const project_slot = pick(
    PER_PROJECT,
    calls.map((call) => call.project_slot),
  );
  return bot_slot === undefined || project_slot === undefined ? null : { bot_slot, project_slot };
};

/** The project's conversation that waits for a slot the longest and may have one now. */
export const longestStarving = async (id_project: string): Promise<BotConversation | null> => {
  const used = Map.groupBy(await inUse(id_project), ({ bot }) => bot);
  const full = [...used].filter(([, calls]) => calls.length >= PER_BOT).map(([bot]) => bot);
  const starving = { id_project, starving: { $exists: true }, bot: { $nin: full } };
  return BotCall.findOne(starving, { _id: 0, id_project: 1, bot: 1, conversation: 1 }).sort({ starving: 1 }).lean();
};

/** Note that a conversation waits for a slot. */
export const starve = async (which: BotConversation): Promise<void> => {
  const next = { ...which, due: { $exists: true } };
  await BotCall.findOneAndUpdate(next, { $min: { starving: new Date() } }, { sort: { position: 1 } });
};
