/** Triggers of a project, which admins define: actions that follow an event if conditions hold. */
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { notFound } from '../../errors.ts';
import { Outbox } from '../../models/outbox.ts';
import { Trigger, TriggerView } from '../../models/trigger.ts';
import { findBuiltInTrigger } from '../../triggers/built-in-triggers.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';

const TRIGGER_FIELDS = projectionOf(TriggerView);

export type StoredTrigger = z.input<typeof TriggerView>;

/** The fields of a trigger that admins set. */
export type TriggerInput = Pick<StoredTrigger, 'name' | 'trigger' | 'actions'> & {
  description?: string;
  conditions?: Partial<StoredTrigger['conditions']>;
};

const triggerNotFound = () => notFound('Trigger not found');

/** Runs a change to triggers in a transaction, and invalidates the cache of the project's triggers. */
const changeTriggers = <T>(id_project: string, change: (session: ClientSession) => Promise<T>): Promise<T> =>
  inTransaction(async (session) => {
    const result = await change(session);
    await recordAccessChange({ triggers: id_project }, session);
    return result;
  });

/** Lists the project's triggers in the order of creation. */
export const list = (id_project: string): Promise<StoredTrigger[]> =>
  Trigger.find({ id_project }, TRIGGER_FIELDS).sort({ _id: 1 }).lean<StoredTrigger[]>().exec();

/** Reads a trigger. Errors: 404 for an unknown trigger. */
export const read = async (id_project: string, _id: string): Promise<StoredTrigger> => {
  if (!isId(_id)) throw triggerNotFound();
  return Trigger.findOne({ id_project, _id }, TRIGGER_FIELDS).orFail(triggerNotFound).lean<StoredTrigger>();
};

/** Creates an enabled trigger. */
export const create = async (id_project: string, input: TriggerInput, createdBy: string): Promise<StoredTrigger> => {
  const _id = newId();
  await insertIfAbsent(() =>
    changeTriggers(id_project, (session) =>
      Trigger.create([{ _id, id_project, ...input, createdBy }], { session, ...emits('trigger.create') }),
    ),
  );
  return read(id_project, _id);
};

/** Updates a trigger and returns it; absent fields are unchanged. Errors: 404 for an unknown trigger. */
export const update = async (
  id_project: string,
  _id: string,
  change: Partial<TriggerInput> & { enabled?: boolean; updatedBy: string },
): Promise<StoredTrigger> => {
  if (!isId(_id)) throw triggerNotFound();
  return changeTriggers(id_project, (session) =>
    Trigger.findOneAndUpdate(
      { id_project, _id },
      { $set: change },
      { session, ...emits('trigger.update'), returnDocument: 'after', projection: TRIGGER_FIELDS },
    )
      .orFail(triggerNotFound)
      .lean<StoredTrigger>(),
  );
};

/** Deletes a trigger and returns it. Its unfinished runs end. Errors: 404 for an unknown trigger. */
export const remove = async (id_project: string, _id: string): Promise<StoredTrigger> => {
  if (!isId(_id)) throw triggerNotFound();
  return changeTriggers(id_project, async (session) => {
    const options = { session, projection: TRIGGER_FIELDS };
    const removed = await Trigger.findOneAndDelete({ id_project, _id }, options)
      .orFail(triggerNotFound)
      .lean<StoredTrigger>();
    await Outbox.create([{ id_project, record: _id, view: removed }], { session, ...emits('trigger.delete') });
    return removed;
  });
};

/**
 * Restores a built-in trigger, or adds it if the project does not have it. Errors: 404 if there is no built-in trigger
 * with this code.
 */
export const reset = async (id_project: string, code: string, actorId: string): Promise<StoredTrigger> => {
  const builtIn = findBuiltInTrigger(code);
  if (!builtIn) throw triggerNotFound();
  return changeTriggers(id_project, (session) =>
    Trigger.findOneAndUpdate(
      { id_project, code },
      { $set: { ...builtIn, updatedBy: actorId }, $setOnInsert: { createdBy: actorId } },
      { session, upsert: true, ...emits('trigger.update'), returnDocument: 'after', projection: TRIGGER_FIELDS },
    )
      .orFail(triggerNotFound)
      .lean<StoredTrigger>(),
  );
};
