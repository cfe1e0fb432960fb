/** Profiles of accounts, as their owners and as other users see them. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { notFound } from '../../errors.ts';
import { emits } from '../../events.ts';
import { ACCOUNT_ACTIVE, PublicUserView, SignedInUserView, User, UserView } from '../../models/user.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { phoneTakenError } from './account-errors.ts';

const profileReader =
  <V extends z.ZodObject>(view: V) =>
  async (id: string): Promise<z.input<V>> => {
    // Visitors have no account, and their ids do not have the form of an account id.
    const found = User.findOne({ _id: id, status: ACCOUNT_ACTIVE }, projectionOf(view));
    const user = isId(id) ? await found.lean<z.input<V> | null>() : null;
    if (!user) throw notFound('User not found');
    return user;
  };

/** Reads an account as its owner sees it. Errors: 404 for an unknown or closed account. */
export const ownProfile = profileReader(UserView);

/** Reads an account in the form that sign-in returns. Errors: 404 for an unknown or closed account. */
export const signedInProfile = profileReader(SignedInUserView);

/** Reads the public fields of an account. Errors: 404 for an unknown or closed account. */
export const publicProfile = profileReader(PublicUserView);

/** Fields of an account that its owner can update. */
export type AccountProfile = Partial<z.input<typeof UserView>>;

const NAME_FIELDS = ['firstname', 'lastname'];

const changedFields = (account: AccountProfile, changes: AccountProfile): AccountProfile =>
  Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => !isDeepStrictEqual(Reflect.get(account, name), value)),
  );

/**
 * Updates the fields that differ from the stored ones, and returns the account; writes nothing if no field differs.
 * Errors: 403 for a phone number of another account, 404 for an unknown account.
 */
export const update = async (id: string, changes: AccountProfile) => {
  const account = await ownProfile(id);
  const $set = changedFields(account, changes);
  const names = Object.keys($set);
  if (!names.length) return account;
  const isPhoneFree = await insertIfAbsent(() =>
    inTransaction(async (session) => {
      const options = { session, ...emits('user.update') };
      await User.updateOne({ _id: id, status: ACCOUNT_ACTIVE }, { $set }, options);
      // Cached principals contain the name, which later messages store as the name of their sender.
      if (names.some((name) => NAME_FIELDS.includes(name))) await recordAccessChange({ user: id }, session);
    }),
  );
  if (!isPhoneFree) throw phoneTakenError();
  return ownProfile(id);
};
