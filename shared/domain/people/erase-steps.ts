/**
 * Deletes those records of a person on which other records depend. Each step can be repeated. A step first replaces the
 * personal data, so that the events of the deletion contain none. The leads and accounts come last: as long as they
 * exist, another run finds everything that an interrupted run has left.
 */
import { Types } from 'mongoose';
import { models } from '../../database/collection.ts';
import { inTransaction } from '../../database/connection.ts';
import { overwriteFields, readWhole, retryWhileChanged } from '../../database/whole-documents.ts';
import { AppError } from '../../errors.ts';
import { Project, PROJECT_ACTIVE } from '../../models/project.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { StoredFile } from '../../models/stored-file.ts';
import { Token } from '../../models/token.ts';
import { currentTime } from '../../time/clock.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { deleteAccount } from '../accounts/account-removal.ts';
import * as deletedConversations from '../conversations/lifecycle/delete.ts';
import { finishRemoval, removeFile } from '../files/remove-file.ts';
import { erase as eraseLead } from '../leads/lead-writes.ts';
import { remove as removeMembership } from '../team/memberships.ts';
import { idsOf, type Person } from './person.ts';
import { changedFields, createRedactor, ERASED } from './redact.ts';

type Fields = Record<string, unknown>;

/** The queries are restricted by the ids of the person, not by a project. */
const options = { anyProject: true };

const modelOf = (name: string) => {
  const model = models().find(({ modelName }) => modelName === name);
  if (!model) throw new Error(`There is no collection ${name}`);
  return model;
};

/** The fields of a conversation that are overwritten before it is deleted, with the values that replace them. */
const EMPTY_CONVERSATION = {
  ...{ first_text: ERASED, subject: ERASED, notes: [], tags: [], keywords: [], attributes: {}, contact: {} },
  ...{ location: {}, sourcePage: ERASED, userAgent: ERASED, rating_message: ERASED, routing: [] },
};

/** Redacts a record, and overwrites those of its fields that `empty` contains with the values from `empty`. */
const redactRecord = async (name: string, id: string, { person, empty }: { person: Person; empty: Fields }) => {
  const [model, redact] = [modelOf(name), createRedactor(person, idsOf(person))];
  const found = await readWhole(model, new Types.ObjectId(id));
  await retryWhileChanged(model, found, async (record) => {
    const present = Object.fromEntries(Object.entries(empty).filter(([field]) => field in record));
    const changes = changedFields(record, { ...redact(record), ...present });
    const isDone = !Object.keys(changes).length || (await overwriteFields(model, { document: record, changes }));
    return isDone || undefined;
  });
};

const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof AppError && error.status === 404)) throw error;
};

const eraseConversations = async (person: Person): Promise<void> => {
  for (const { _id, id_project, request_id } of person.conversations) {
    await redactRecord('requests', _id, { person, empty: EMPTY_CONVERSATION });
    await deletedConversations.remove({ id_project, request_id }).catch(ignoreMissing);
  }
};

/** The prefix of the paths that erased files get. */
const ERASED_PATH = 'uploads/erased/';

/** Removes all files under this prefix: those that an interrupted run has left cannot be found in any other way. */
const removeErasedFiles = async (): Promise<void> => {
  const erased = { path: { $gte: ERASED_PATH, $lt: `${ERASED_PATH}~` } };
  for await (const { _id, id_project } of StoredFile.find(erased, { id_project: 1 }, options).lean().cursor()) {
    const key = { _id: String(_id), id_project };
    if (!(await removeFile(key))) await finishRemoval(key);
  }
};

const eraseFiles = async (person: Person): Promise<void> => {
  for (const { _id } of person.files)
    await redactRecord('files', _id, { person, empty: { name: ERASED, path: ERASED_PATH + _id } });
  await removeErasedFiles();
};

const eraseLeads = async (person: Person): Promise<void> => {
  for (const { _id, id_project } of person.leads) {
    await redactRecord('leads', _id, { person, empty: {} });
    await eraseLead({ _id, id_project }).catch(ignoreMissing);
  }
};

/** Deletes the memberships of the visitor. The memberships of an account are deleted with the account. */
const eraseMemberships = async (person: Person): Promise<void> => {
  for (const { _id, id_project, isVisitor } of person.memberships) {
    if (!isVisitor) continue;
    await redactRecord('project_users', _id, { person, empty: {} });
    await removeMembership({ _id, id_project }, { kind: 'system' }).catch(ignoreMissing);
  }
};

/** Revokes the tokens of the person, and removes the IP addresses and user agents from the tokens' records. */
const eraseTokens = async ({ accounts, visitors }: Person): Promise<void> => {
  for (const id_user of [...accounts, ...visitors])
    await inTransaction(async (session) => {
      const change = { $set: { revokedAt: currentTime() }, $unset: { ip: 1, userAgent: 1 } };
      await Token.updateMany({ id_user }, change, { session });
      await recordAccessChange({ user: id_user }, session);
    });
};

/** Returns the ids of the active projects whose only owner is the person. */
export const findSoleOwnerships = async ({ accounts }: Person): Promise<string[]> => {
  const owned = { id_user: { $in: accounts }, role: 'owner', ...ACTIVE_MEMBER };
  const memberships = await ProjectUser.find(owned, { id_project: 1 }, options).lean();
  const sole: string[] = [];
  for (const { id_project } of memberships) {
    const other = { id_project, role: 'owner', ...ACTIVE_MEMBER, id_user: { $nin: accounts } };
    const isActive = await Project.exists({ _id: id_project, status: PROJECT_ACTIVE });
    if (isActive && !(await ProjectUser.exists(other))) sole.push(id_project);
  }
  return sole;
};

const eraseAccounts = async ({ accounts }: Person): Promise<void> => {
  for (const id of accounts) {
    await deleteAccount(id).catch(ignoreMissing);
    await ProjectUser.deleteMany({ id_user: id }, options);
  }
};

/** A step: the collection, the number of records of the person, and their deletion. */
interface Step {
  collection: string;
  count(person: Person): number;
  erase(person: Person): Promise<void>;
}

/**
 * The steps that run before the messages are erased, because the files of a conversation are found through its
 * messages.
 */
export const FIRST_STEPS: Step[] = [{ collection: 'files', count: ({ files }) => files.length, erase: eraseFiles }];

/** The steps that run last, because the search finds everything else through the records that they delete. */
export const LAST_STEPS: Step[] = [
  { collection: 'requests', count: ({ conversations }) => conversations.length, erase: eraseConversations },
  { collection: 'tokens', count: () => 0, erase: eraseTokens },
  {
    collection: 'project_users',
    count: ({ memberships }) => memberships.length,
    erase: eraseMemberships,
  },
  { collection: 'leads', count: ({ leads }) => leads.length, erase: eraseLeads },
  { collection: 'users', count: ({ accounts }) => accounts.length, erase: eraseAccounts },
];
