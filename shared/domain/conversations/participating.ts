/** The people who take part in conversations, by their user ids. */
import type { Types } from 'mongoose';
import { User } from '../../models/user.ts';
import { readMany } from '../../read.ts';
import { Recent } from '../../recent.ts';
import { isId } from '../../view.ts';

const HALF_A_MINUTE = 30_000;
const FIELDS = { _id: 1, email: 1, firstname: 1, lastname: 1, emailverified: 1, createdAt: 1, updatedAt: 1 } as const;

interface Participating {
  _id: Types.ObjectId;
  email: string;
  firstname?: string | null;
  lastname?: string | null;
  emailverified: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const known = new Recent<Participating>({ ttlMs: HALF_A_MINUTE, max: 10_000 });

/** Those of the ids that are accounts, by id; names may be half a minute old. */
export const peopleOf = async (ids: string[]): Promise<Map<string, Participating>> => {
  const people = new Map<string, Participating>();
  const asked = new Set<string>();
  for (const id of ids) {
    const person = known.get(id);
    if (person) people.set(id, person);
    else if (isId(id)) asked.add(id);
  }
  if (!asked.size) return people;
  for (const person of await readMany(User, { _id: { $in: [...asked] } }, { fields: FIELDS })) {
    known.set(String(person._id), person);
    people.set(String(person._id), person);
  }
  return people;
};
