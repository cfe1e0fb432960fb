/**
 * Updates projects and emits the events of each update. Widget HTML is sanitized, and the SMTP server's password is
 * stored separately from the settings.
 */
import type { ClientSession, UpdateQuery } from 'mongoose';
import { inTransaction } from '../../database/connection.ts';
import { emits } from '../../events.ts';
import { withInvalidPathError } from '../../database/invalid-path.ts';
import { AppError, notFound } from '../../errors.ts';
import { PROJECT_ACTIVE, Project, ProjectView } from '../../models/project.ts';
import { sanitizeHtml } from '../../security/sanitize-html.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { recordAccessChange } from '../access/access-changes.ts';
import { assertEmailSettings } from '../mails/own-templates.ts';
import type { EmailSettings } from '../mails/sender-settings.ts';
import { closeCircuit } from '../mails/server-circuit.ts';
import { readPlan } from '../quotas/plan.ts';
import { deleteStaleCounters } from '../quotas/quotas.ts';
import { detailView, type ProjectDetail, read, type StoredProject } from './projects.ts';
import { deletedPassword, extractPassword } from './smtp-password.ts';

type Fields = Record<string, unknown>;

/** Maximum size of all attributes together, in bytes. Every other field has a limit of its own. */
const MAX_ATTRIBUTE_BYTES = 500_000;
const fitsMaxSize = (attributes: Fields) => ({
  $expr: { $lt: [{ $bsonSize: { $mergeObjects: ['$attributes', { $literal: attributes }] } }, MAX_ATTRIBUTE_BYTES] },
});

const tooLargeError = (field: string) =>
  new AppError(413, 'TOO_LARGE', `${field}: the project has reached the maximum; remove some entries first`);

/** A write in the transaction of an update. */
type TransactionalWrite = (session: ClientSession) => Promise<void>;

interface ProjectUpdate {
  update: UpdateQuery<unknown>;
  /** Reads, in the transaction, further fields to set. */
  alsoSet?: (session: ClientSession) => Promise<Fields>;
  events: ReturnType<typeof emits>;
  /** An additional filter that the project must match. */
  condition?: Fields;
  alsoWrite?: TransactionalWrite;
}

const updateInTransaction = async (
  id: string,
  { update, alsoSet, events, condition, alsoWrite }: ProjectUpdate,
  session: ClientSession,
) => {
  const options = { ...events, session, returnDocument: 'after', projection: projectionOf(ProjectView) } as const;
  const completed = alsoSet ? { ...update, $set: { ...update.$set, ...(await alsoSet(session)) } } : update;
  const project = await Project.findOneAndUpdate(
    { _id: id, status: PROJECT_ACTIVE, ...condition },
    completed,
    options,
  ).lean<StoredProject>();
  if (project) await recordAccessChange({ project: id }, session);
  if (project) await alsoWrite?.(session);
  return project && detailView(project);
};

/** Updates a project and returns it; null if the project is unknown or disabled, or does not match `condition`. */
const updateProject = (id: string, change: ProjectUpdate): Promise<ProjectDetail | null> =>
  withInvalidPathError(() => inTransaction((session) => updateInTransaction(id, change, session)));

/** Returns the write that deletes the quota counters that a new profile, which holds the plan, makes stale. */
const counterUpdate = async (id: string, profile: Fields): Promise<TransactionalWrite> => {
  const plan = await readPlan(id);
  return (session) => deleteStaleCounters(plan, profile, session);
};

const setFields = async (id: string, $set: Fields): Promise<ProjectDetail> => {
  if (!Object.keys($set).length) return read(id);
  const alsoWrite = $set.profile ? await counterUpdate(id, $set.profile as Fields) : undefined;
  const alsoSet = (session: ClientSession) => deletedPassword(id, $set, session);
  const change = { update: { $set }, alsoSet, events: emits('project.update'), alsoWrite };
  return (await updateProject(id, change)) ?? read(id);
};

interface WidgetSettings extends Fields {
  poweredBy?: unknown;
}

/** Sanitizes the widget's HTML, which other sites display. */
const sanitizeWidget = (widget: WidgetSettings): WidgetSettings =>
  widget.poweredBy === undefined ? widget : { ...widget, poweredBy: sanitizeHtml(String(widget.poweredBy)) };

const EMAIL_PREFIX = 'settings.email.';

/** Returns the email settings that an update sets, either as a whole or with dotted keys. */
const emailSettingsIn = ({ settings, ...changes }: Fields): EmailSettings => {
  const { email = {} } = (settings ?? {}) as { email?: EmailSettings };
  const entries = Object.entries(changes).flatMap(([name, value]) =>
    name.startsWith(EMAIL_PREFIX) ? [[name.slice(EMAIL_PREFIX.length), value] as const] : [],
  );
  const templates = entries.flatMap(([name, value]) =>
    name.startsWith('templates.') ? [[name.slice('templates.'.length), value] as const] : [],
  );
  if (!entries.length) return typeof email === 'object' && email !== null ? email : {};
  return { ...Object.fromEntries(entries), templates: Object.fromEntries(templates) };
};

/**
 * Sets fields of a project and returns the updated project. Individual settings can be set with dotted keys.
 * Errors: 404 for an unknown project, 422 for an invalid sender or mail template, or for a dotted key that leads into a
 * value that is not an object.
 */
export const update = async (id: string, changes: Fields): Promise<ProjectDetail> => {
  await assertEmailSettings(id, emailSettingsIn(changes));
  const { widget, ...rest } = extractPassword(id, changes);
  const sanitized = widget ? { widget: sanitizeWidget(widget as WidgetSettings) } : {};
  const updated = await setFields(id, { ...rest, ...sanitized });
  if (Object.keys(changes).some((name) => /^settings(\.email\.config\.|$)/.test(name))) await closeCircuit(id);
  return updated;
};

/** Sets the given attributes and keeps the others. Errors: 413 if all attributes together are too large. */
export const setAttributes = async (id: string, attributes: Fields): Promise<ProjectDetail> => {
  const $set = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`attributes.${key}`, value]));
  if (!Object.keys($set).length) return read(id);
  const changed = await updateProject(id, {
    update: { $set },
    events: emits('project.update'),
    condition: fitsMaxSize(attributes),
  });
  if (changed) return changed;
  await read(id);
  throw tooLargeError('attributes');
};

const MAX_BANS = 5000;

/**
 * Bans a visitor and runs `alsoWrite` in the same transaction. Does nothing if the visitor is already banned.
 * Errors: 413 if the project has the maximum number of bans.
 */
export const ban = async (
  id: string,
  banned: { id: string; ip?: string },
  alsoWrite: TransactionalWrite,
): Promise<ProjectDetail> => {
  const condition = { 'bannedUsers.id': { $ne: banned.id }, [`bannedUsers.${MAX_BANS - 1}`]: { $exists: false } };
  const events = emits('project.update', ['project.update.user.ban', { banInfo: banned }]);
  const changed = await updateProject(id, { update: { $push: { bannedUsers: banned } }, events, condition, alsoWrite });
  if (changed) return changed;
  const project = await read(id);
  if (project.bannedUsers.length >= MAX_BANS) throw tooLargeError('bannedUsers');
  return project;
};

/** Removes a ban by the id of its entry. Errors: 404 for an unknown entry. */
export const unban = async (id: string, entry: string): Promise<ProjectDetail> => {
  const banned = (await read(id)).bannedUsers.find(({ _id }) => String(_id) === entry);
  if (!banned) throw notFound('Banned user not found');
  const banInfo = { id: banned.id, ...(banned.ip && { ip: banned.ip }) };
  const events = emits('project.update', ['project.update.user.unban', { banInfo }]);
  const update = { $pull: { bannedUsers: { _id: entry } } };
  const changed = isId(entry) && (await updateProject(id, { update, events, condition: { 'bannedUsers._id': entry } }));
  if (!changed) throw notFound('Banned user not found');
  return changed;
};
