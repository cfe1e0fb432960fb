/** The people and bots who take part in conversations; what is told of them may be half a minute old. */
import type { Types } from 'mongoose';
import { Bot } from '../../models/bot.ts';
import { User } from '../../models/user.ts';
import { readMany } from '../../read.ts';
import { Recent } from '../../recent.ts';
import { isId } from '../../view.ts';

const KEPT = { ttlMs: 30_000, max: 10_000 };

/** The values of these keys; those that are not known are read together. */
const recall = async <V>(
  known: Recent<V>,
  keys: string[],
  read: (unknown: string[]) => Promise<(readonly [key: string, value: V])[]>,
): Promise<Map<string, V>> => {
  const found = new Map<string, V>();
  const unknown = new Set<string>();
  for (const key of keys) {
    const value = known.get(key);
    if (value) found.set(key, value);
    else unknown.add(key);
  }
  if (!unknown.size) return found;
  for (const [key, value] of await read([...unknown])) {
    known.set(key, value);
    found.set(key, value);
  }
  return found;
};

const PERSON = { _id: 1, email: 1, firstname: 1, lastname: 1, emailverified: 1, createdAt: 1, updatedAt: 1 } as const;

interface Participating {
  _id: Types.ObjectId;
  email: string;
  firstname?: string | null;
  lastname?: string | null;
  emailverified: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const people = new Recent<Participating>(KEPT);

/** Those of the ids that are accounts, by id. */
export const peopleOf = (ids: string[]): Promise<Map<string, Participating>> =>
  recall(people, ids.filter(isId), async (unknown) => {
    const read = await readMany(User, { _id: { $in: unknown } }, { fields: PERSON });
    return read.map((person) => [String(person._id), person]);
  });

const BOT = { _id: 1, id_project: 1, name: 1, type: 1, trashed: 1 } as const;

interface ParticipatingBot {
  _id: Types.ObjectId;
  id_project: string;
  name: string;
  type: string;
  trashed: boolean;
}

/** As much of a conversation as names its bots. */
interface Attended {
  id_project: string;
  participantsBots: string[];
}

const bots = new Recent<ParticipatingBot>(KEPT);

const keysOf = ({ id_project, participantsBots }: Attended): string[] =>
  participantsBots.filter(isId).map((bot) => `${id_project} ${bot}`);

/** Tells the bots of each of the conversations; one of another project is nobody in them. */
export const botsOf = async (conversations: Attended[]): Promise<(one: Attended) => ParticipatingBot[]> => {
  const found = await recall(bots, conversations.flatMap(keysOf), async (unknown) => {
    const [projects, ids] = [0, 1].map((part) => unknown.map((key) => key.split(' ')[part] as string));
    const read = await readMany(Bot, { id_project: { $in: projects }, _id: { $in: ids } }, { fields: BOT });
    return read.map((bot) => [`${bot.id_project} ${String(bot._id)}`, bot]);
  });
  return (one) => keysOf(one).flatMap((key) => found.get(key) ?? []);
};
