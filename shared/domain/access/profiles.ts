/** What accounts say of themselves, to themselves and to others (contract a 5). */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { AppError, notFound } from '../../errors.ts';
import { ACTIVE } from '../../models/project.ts';
import { PublicUserView, SignedInUserView, User, UserView } from '../../models/user.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { fieldsOf, isId } from '../../view.ts';
import { accessChanged } from './access.ts';

const readerAs =
  <V extends z.ZodObject>(view: V) =>
  async (id: string): Promise<z.input<V>> => {
    // Visitors and bots have ids of other kinds, and no account.
    const found = User.findOne({ _id: id, status: ACTIVE }, fieldsOf(view));
    const user = isId(id) ? await found.lean<z.input<V> | null>() : null;
    if (!user) throw notFound('User not found');
    return user;
  };

/** An account as its owner sees it; 404 where there is none in use. */
export const read = readerAs(UserView);

/** An account as sign-in tells it. */
export const signedIn = readerAs(SignedInUserView);

/** What anybody may know of an account. */
export const ofAnybody = readerAs(PublicUserView);

/** What somebody says of itself. */
export type Profile = Partial<z.input<typeof UserView>>;

const phoneTaken = () =>
  new AppError(403, 'PHONE_TAKEN', 'An account with this phone number exists').with({
    body: { message: 'An account with this phone number exists' },
  });

const NAMES = ['firstname', 'lastname'];

const differing = (account: Profile, changes: Profile): Profile => {
  const before = new Map(Object.entries(account));
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !isDeepStrictEqual(before.get(name), value)),
  );
};

/** Change what differs from the account; nothing is written where nothing does. 403 for the phone number of another account. */
export const update = async (id: string, changes: Profile) => {
  const account = await read(id);
  const $set = differing(account, changes);
  const names = Object.keys($set);
  if (!names.length) return account;
  const free = await makeOnce(() =>
    inTransaction(async (session) => {
      await User.updateOne({ _id: id, status: ACTIVE }, { $set }, { session });
      // The author of later messages has these names.
      if (names.some((name) => NAMES.includes(name))) await accessChanged({ user: id }, session);
    }),
  );
  if (!free) throw phoneTaken();
  return read(id);
};
