/** Changing departments (contract b 6.2): whatever one names is the project's, and a project always has one default. */
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { AppError } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { Department } from '../../models/department.ts';
import { Group } from '../../models/group.ts';
import { Outbox } from '../../models/outbox.ts';
import { inTransaction, makeOnce } from '../../mongo.ts';
import { countOf } from '../../read.ts';
import { isId } from '../../view.ts';
import { FIELDS, missing, read, show } from './departments.ts';

/** Which department of which project. */
interface Which {
  id_project: string;
  _id: string;
}

/** What may be set of a department. */
export interface Settings {
  name?: string;
  description?: string;
  routing?: 'assigned' | 'pooled' | null;
  status?: number;
  id_bot?: string;
  bot_only?: boolean;
  id_group?: string;
  groups?: { id_group: string; percentage?: number }[];
  online_msg?: string;
  offline_msg?: string;
  tags?: object[];
  attributes?: Record<string, unknown>;
}

/** 422 that names the field. */
const refused = (path: string, text: string): AppError => {
  const told = { path, code: 'custom', message: text, param: path, msg: text, location: 'body' };
  return new AppError(422, 'INVALID', `${path}: ${text}`).with({ body: { errors: [told] } });
};

const hasGroups = async (id_project: string, ids: string[]): Promise<boolean> =>
  ids.every(isId) &&
  (!ids.length || (await countOf(Group, { id_project, _id: { $in: ids }, trashed: false })) === ids.length);

const hasBot = async (id_project: string, _id: string): Promise<boolean> =>
  isId(_id) && (await countOf(Bot, { id_project, _id, trashed: false })) === 1;

const check = async (id_project: string, { id_group, groups = [], id_bot }: Settings): Promise<void> => {
  const ids = groups.map((share) => share.id_group);
  if (new Set(ids).size < ids.length) throw refused('groups', 'A group stands there twice');
  if (!(await hasGroups(id_project, ids))) throw refused('groups', 'Not all are groups of the project');
  if (id_group && !(await hasGroups(id_project, [id_group])))
    throw refused('id_group', 'The project has no such group');
  if (id_bot && !(await hasBot(id_project, id_bot))) throw refused('id_bot', 'The project has no such bot');
};

type Stored = Parameters<typeof show>[0];
type Whole = ReturnType<typeof show>;

const shown = ({ id_project, _id }: Which): Promise<Whole> => read(id_project, _id, { whole: true }) as Promise<Whole>;

/** Make a department; one that is the default takes that from the one before, so that a project never has two. */
export const create = async (
  id_project: string,
  given: Settings & { name: string; default?: boolean },
  createdBy: string,
): Promise<Whole> => {
  await check(id_project, given);
  const _id = newId();
  const make = () =>
    inTransaction(async (session) => {
      const former = { id_project, default: true };
      const told = { session, ...emits('department.update') };
      if (given.default) await Department.updateMany(former, { $set: { default: false } }, told);
      const department = { _id, id_project, ...given, createdBy };
      await Department.create([department], { session, ...emits('department.create') });
    });
  await makeOnce(make);
  return shown({ id_project, _id });
};

/** What becomes of a department: fields set, and references taken away. */
export interface Change {
  set: Settings;
  drop: ('id_bot' | 'id_group' | 'groups' | 'bot_only')[];
}

/** Change a department; 422 for a group or bot that is not the project's. */
export const update = async (which: Which, { set, drop }: Change): Promise<Whole> => {
  const before = await shown(which);
  await check(which.id_project, set);
  if (!Object.keys(set).length && !drop.length) return before;
  const $unset = Object.fromEntries(drop.map((name) => [name, 1]));
  const options = { ...emits('department.update'), returnDocument: 'after', projection: FIELDS } as const;
  const after = Department.findOneAndUpdate({ ...which }, { $set: set, $unset }, options).orFail(missing);
  return show(await after.lean<Stored>());
};

/**
 * Delete a department; its open conversations go to the default one (`events.leave-department`). 409 for the default one:
 * without it nobody could open a conversation.
 */
export const remove = ({ id_project, _id }: Which): Promise<Whole> =>
  inTransaction(async (session) => {
    if (!isId(_id)) throw missing();
    const where = { id_project, _id };
    const department = await Department.findOne(where, FIELDS, { session }).orFail(missing).lean<Stored>();
    if (department.default)
      throw new AppError(409, 'DEFAULT', 'The default department stays until another one is made with `default: true`');
    const { deletedCount } = await Department.deleteOne({ ...where, default: false }, { session });
    if (!deletedCount) throw missing();
    const whole = show(department);
    await Outbox.create([{ id_project, record: _id, shown: whole }], { session, ...emits('department.delete') });
    return whole;
  });
