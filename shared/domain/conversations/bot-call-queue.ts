/**
 * Calls of bots that are due. A record is a call; the job that makes it is a wake-up and may be lost or doubled. The calls of a conversation
 * are made in the order of their events: the first one that is open is made, waits for its next attempt, or is in a worker's hands.
 */
import { ulid } from 'ulid';
import { AppError } from '../../errors.ts';
import type { EventRef, Payload } from '../../jobs.ts';
import { BotCall } from '../../models/bot-call.ts';
import { isDuplicate } from '../../mongo.ts';
import { enqueue } from '../../queue.ts';
import { bury, messageOf, waitMs } from '../events/dead-letters.ts';
import { anySlots, type BotConversation, freeSlots, longestStarving, type Slots, starve } from './bot-call-slots.ts';

const LISTENER = 'events.call-bot';
/** Longer than a call may take with all its reads and writes. */
const LEASE_MS = 20_000;
const MOST_TRIES = 5;
/** A call that has waited longer is tried once: a bot that is gone for good does not hold its conversations for ever. */
const PATIENCE_MS = 3_600_000;
const MOST_COLLISIONS = 20;
const SWEPT_OF_A_PROJECT = 16;

/** A write that costs nothing when it is lost alone: the call is then written or taken again. */
const LIGHT = { writeConcern: { w: 1, j: false } } as const;

/** A call to be written down. */
export interface NewCall {
  event: EventRef;
  bot: string;
  conversation: string;
}

/** A call in the hands of a worker. */
export interface DueCall extends BotConversation {
  _id: string;
  message: string;
  event: string;
  position: string;
  holder: string;
  tries: number;
  createdAt: Date;
}

const open = { due: { $exists: true } };
const NO_SLOTS = { holder: 1, bot_slot: 1, project_slot: 1 } as const;
const whichOf = ({ id_project, bot, conversation }: BotConversation): BotConversation => ({
  id_project,
  bot,
  conversation,
});

/** Have the calls of a conversation made, not before `delayMs` have passed. */
export const wake = (which: BotConversation, delayMs = 0): Promise<void> =>
  enqueue('bots.call', whichOf(which) satisfies Payload<'bots.call'>, delayMs);

/** Open a call again that was given up: a replay of its event asks for it. */
const reopen = (_id: string, id_project: string) => {
  const again = { $set: { due: new Date(), tries: 0 }, $unset: { given_up: 1, error: 1 } } as const;
  return BotCall.updateOne({ _id, id_project, given_up: true }, again);
};

/** Write a call down and have it made; an event that is read again changes nothing, but opens a call that was given up. */
export const writeDown = async ({ event, bot, conversation }: NewCall): Promise<void> => {
  const { id, id_project, record, position } = event;
  const _id = `${id} ${bot}`;
  const call = { bot, conversation, message: record, event: id, position, due: new Date(), tries: 0 };
  const written = await BotCall.updateOne({ _id, id_project }, { $setOnInsert: call }, { upsert: true, ...LIGHT });
  if (!written.upsertedCount) await reopen(_id, id_project);
  await wake({ id_project, bot, conversation });
};

/** Take the first open call of a conversation, unless it is in other hands or not yet due; throws the duplicate of a slot that is taken. */
const claim = async (which: BotConversation, slots: Slots) => {
  const holder = ulid();
  const now = new Date();
  const lease = new Date(now.getTime() + LEASE_MS);
  const turn = { holder, ...slots, due: lease, tries: { $add: ['$tries', 1] }, starving: '$$REMOVE' };
  const isDue = { $lte: ['$due', now] };
  const set = Object.entries(turn).map(([name, value]) => [name, { $cond: [isDue, value, `$${name}`] }]);
  const options = { sort: { position: 1 }, returnDocument: 'after', updatePipeline: true, ...LIGHT } as const;
  const first = await BotCall.findOneAndUpdate(
    { ...which, ...open },
    [{ $set: Object.fromEntries(set) }],
    options,
  ).lean();
  return { first, taken: first?.holder === holder ? (first as unknown as DueCall) : null };
};

const claimed = async (which: BotConversation, slots: Slots) => {
  try {
    return await claim(which, slots);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return null;
  }
};

/** Two free slots. A conversation that finds none is marked, and looks once more: whoever frees a slot from then on sees the mark. */
const slotsFor = async (which: BotConversation): Promise<Slots | null> => {
  const free = await freeSlots(which);
  if (free) return free;
  await starve(which);
  return freeSlots(which);
};

/** Take the next call of a conversation; null where none is due, another worker has it, or no slot is free. */
export const take = async (which: BotConversation): Promise<DueCall | null> => {
  let slots: Slots | null = anySlots();
  for (let collisions = 0; slots && collisions < MOST_COLLISIONS; collisions += 1) {
    const found = await claimed(which, slots);
    if (found?.taken) return found.taken;
    if (found) {
      const { first } = found;
      if (first?.due && !first.holder) await wake(which, first.due.getTime() - Date.now());
      return null;
    }
    slots = await slotsFor(which);
  }
  return null;
};

const mine = ({ _id, id_project, holder }: DueCall) => ({ _id, id_project, holder });

/** The bot has it, or gets it no more. */
export const finish = async (call: DueCall): Promise<void> => {
  await BotCall.updateOne(mine(call), { $unset: { ...NO_SLOTS, due: 1, error: 1 } });
};

const giveUp = async (call: DueCall, error: unknown): Promise<void> => {
  const { id_project, event: id, message: record, position, tries } = call;
  await bury(LISTENER, { id, id_project, event: 'message.create', record, position }, { tries, error });
  const failed = { given_up: true, error: messageOf(error) };
  await BotCall.updateOne(mine(call), { $set: failed, $unset: { ...NO_SLOTS, due: 1 } });
};

const isOver = ({ tries, createdAt }: DueCall): boolean =>
  tries >= MOST_TRIES || Date.now() - createdAt.getTime() > PATIENCE_MS;

/** Note a failed attempt: another one follows later, or the call becomes a dead letter, at once where trying again cannot help. */
export const fail = async (call: DueCall, error: unknown): Promise<void> => {
  if (error instanceof AppError || isOver(call)) return giveUp(call, error);
  const wait = waitMs(call.tries);
  const later = { due: new Date(Date.now() + wait), error: messageOf(error) };
  await BotCall.updateOne(mine(call), { $set: later, $unset: NO_SLOTS });
  await wake(call, wait);
};

/** What may follow in a slot that is free: the conversation's next call, or some conversation that waits for a slot. */
const following = async (which: BotConversation) => {
  const starving = { id_project: which.id_project, starving: { $exists: true } };
  const found = await BotCall.aggregate<{ starving?: Date; own?: true }>([
    { $match: { ...which, ...open } },
    { $sort: { position: 1 } },
    { $limit: 1 },
    { $match: { due: { $lte: new Date() } } },
    { $project: { own: { $literal: true } } },
    {
      $unionWith: {
        coll: BotCall.modelName,
        pipeline: [{ $match: starving }, { $limit: 1 }, { $project: { starving: 1 } }],
      },
    },
  ]);
  return { own: found.some(({ own }) => own), starving: found.some((each) => each.starving) };
};

/** The conversation whose call is made next after this one, in turn with those that wait for a slot. */
export const nextAfter = async (call: DueCall): Promise<BotConversation | null> => {
  const which = whichOf(call);
  const { own, starving } = await following(which);
  const other = starving ? await longestStarving(which.id_project) : null;
  if (own && other) await starve(which);
  return other ?? (own ? which : null);
};

/** Conversations with calls that are due, some of each project: nobody was woken for them, or their worker has died. */
export const overdue = async (): Promise<BotConversation[]> => {
  const first = { $firstN: { n: SWEPT_OF_A_PROJECT, input: '$_id' } };
  const projects = await BotCall.aggregate<{ which: BotConversation[] }>([
    { $match: { due: { $lte: new Date() } } },
    {
      $group: { _id: { id_project: '$id_project', bot: '$bot', conversation: '$conversation' }, due: { $min: '$due' } },
    },
    { $sort: { due: 1 } },
    { $group: { _id: '$_id.id_project', which: first } },
  ]).option({ anyProject: true });
  return projects.flatMap(({ which }) => which);
};
