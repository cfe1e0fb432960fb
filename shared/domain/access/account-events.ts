/**
 * Emits account events that are not emitted by a write to the account record, such as the event of a sign-in. These
 * events belong to the instance, not to a project.
 */
import type { ClientSession } from 'mongoose';
import { newId } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import type { AppError } from '../../errors.ts';
import { emits } from '../../events.ts';
import { INSTANCE } from '../../models/change.ts';
import { Outbox } from '../../models/outbox.ts';
import { User, UserView } from '../../models/user.ts';
import { projectionOf } from '../../wire/view.ts';

const readAccount = (_id: string, session?: ClientSession) =>
  User.findOne({ _id }, projectionOf(UserView), { session }).orFail().lean();

/** Emits events with an account's current fields, once for each `_id`: the id of the outbox record of the events. */
export const emitAccountEvents = async (
  account: string,
  events: ReturnType<typeof emits>,
  { _id = newId(), session }: { _id?: string; session?: ClientSession } = {},
): Promise<void> => {
  const entry = { _id, id_project: INSTANCE, record: account, view: await readAccount(account, session) };
  await insertIfAbsent(() => Outbox.create([entry], { session, ...events }));
};

/** Emits the event of a refused sign-up or sign-in. */
export const emitAccountFailure = async (
  event: 'user.signup.error' | 'user.signin.error',
  email: string,
  { code, message: error }: AppError,
): Promise<void> => {
  await Outbox.create([{ id_project: INSTANCE, record: email, view: { email, code, error } }], emits(event));
};
