/**
 * Creates, updates and deletes departments. A department refers only to groups and bots of its project, and a project
 * always has one default department.
 */
import { newId } from '../../context.ts';
import { inTransaction } from '../../database/connection.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { countRecords } from '../../database/raw-read.ts';
import { AppError, invalidField } from '../../errors.ts';
import { Bot } from '../../models/bot.ts';
import { Department } from '../../models/department.ts';
import { Group } from '../../models/group.ts';
import { Outbox } from '../../models/outbox.ts';
import { isId } from '../../wire/view.ts';
import { DEPARTMENT_FIELDS, departmentNotFound, detailView, read } from './departments.ts';

/** A department by its project and id. */
interface DepartmentKey {
  id_project: string;
  _id: string;
}

/** The fields of a department that a caller may set. */
export interface DepartmentSettings {
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

const hasGroups = async (id_project: string, ids: string[]): Promise<boolean> =>
  ids.every(isId) &&
  (!ids.length || (await countRecords(Group, { id_project, _id: { $in: ids }, trashed: false })) === ids.length);

const hasBot = async (id_project: string, _id: string): Promise<boolean> =>
  isId(_id) && (await countRecords(Bot, { id_project, _id, trashed: false })) === 1;

/** Throws 422 if the project lacks a referenced group or bot, or if a group is named twice. */
const assertReferences = async (
  id_project: string,
  { id_group, groups = [], id_bot }: DepartmentSettings,
): Promise<void> => {
  const ids = groups.map((share) => share.id_group);
  if (new Set(ids).size < ids.length) throw invalidField('groups', 'A group is named twice; name each group once');
  if (!(await hasGroups(id_project, ids)))
    throw invalidField('groups', 'Some of these groups do not exist in this project');
  if (id_group && !(await hasGroups(id_project, [id_group])))
    throw invalidField('id_group', 'The project has no such group');
  if (id_bot && !(await hasBot(id_project, id_bot))) throw invalidField('id_bot', 'The project has no such bot');
};

type StoredDepartment = Parameters<typeof detailView>[0];
type DepartmentDetail = ReturnType<typeof detailView>;

const readDetail = ({ id_project, _id }: DepartmentKey): Promise<DepartmentDetail> =>
  read(id_project, _id, { detailed: true }) as Promise<DepartmentDetail>;

/**
 * Creates a department. A new default department replaces the previous one in the same transaction.
 * Errors: 422 for a group or bot that the project does not have.
 */
export const create = async (
  id_project: string,
  settings: DepartmentSettings & { name: string; default?: boolean },
  createdBy: string,
): Promise<DepartmentDetail> => {
  await assertReferences(id_project, settings);
  const _id = newId();
  const insertDepartment = () =>
    inTransaction(async (session) => {
      const former = { id_project, default: true };
      const options = { session, ...emits('department.update') };
      if (settings.default) await Department.updateMany(former, { $set: { default: false } }, options);
      const department = { _id, id_project, ...settings, createdBy };
      await Department.create([department], { session, ...emits('department.create') });
    });
  await insertIfAbsent(insertDepartment);
  return readDetail({ id_project, _id });
};

/** An update to a department: fields to set, and references to remove. */
export interface DepartmentUpdate {
  set: DepartmentSettings;
  drop: ('id_bot' | 'id_group' | 'groups' | 'bot_only')[];
}

/** Updates a department. Errors: 404 for an unknown department, 422 for an unknown group or bot. */
export const update = async (key: DepartmentKey, { set, drop }: DepartmentUpdate): Promise<DepartmentDetail> => {
  const before = await readDetail(key);
  await assertReferences(key.id_project, set);
  if (!Object.keys(set).length && !drop.length) return before;
  const $unset = Object.fromEntries(drop.map((name) => [name, 1]));
  const options = { ...emits('department.update'), returnDocument: 'after', projection: DEPARTMENT_FIELDS } as const;
  const after = Department.findOneAndUpdate({ ...key }, { $set: set, $unset }, options).orFail(departmentNotFound);
  return detailView(await after.lean<StoredDepartment>());
};

/**
 * Deletes a department and returns it. The job `events.reassign-department` then moves the department's open
 * conversations to the default department.
 * Errors: 404 for an unknown department, 409 for the default department, because new conversations need it.
 */
export const remove = ({ id_project, _id }: DepartmentKey): Promise<DepartmentDetail> =>
  inTransaction(async (session) => {
    if (!isId(_id)) throw departmentNotFound();
    const key = { id_project, _id };
    const department = await Department.findOne(key, DEPARTMENT_FIELDS, { session })
      .orFail(departmentNotFound)
      .lean<StoredDepartment>();
    if (department.default)
      throw new AppError(
        409,
        'DEFAULT_DEPARTMENT',
        'The default department cannot be deleted; create another one with `default: true` first',
      );
    const { deletedCount } = await Department.deleteOne({ ...key, default: false }, { session });
    if (!deletedCount) throw departmentNotFound();
    const detail = detailView(department);
    await Outbox.create([{ id_project, record: _id, view: detail }], { session, ...emits('department.delete') });
    return detail;
  });
