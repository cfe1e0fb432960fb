/** Changing a project: each change tells of itself, and what must never be shown or run is taken out on its way in. */
import type { ClientSession, UpdateQuery } from 'mongoose';
import { emits } from '../../emits.ts';
import { AppError, notFound } from '../../errors.ts';
import { ACTIVE, Project, ProjectView } from '../../models/project.ts';
import { inTransaction } from '../../mongo.ts';
import { safeHtml } from '../../safe-html.ts';
import { fieldsOf, isId } from '../../view.ts';
import { accessChanged } from '../access/access.ts';
import { banNews } from '../conversations/ban-news.ts';
import { read, type Shown, type Stored, shown } from './projects.ts';

type Fields = Record<string, unknown>;

/** Bytes of all attributes together; every other field has a limit of its own. */
const MOST_BYTES = 500_000;
const fits = (attributes: Fields) => ({
  $expr: { $lt: [{ $bsonSize: { $mergeObjects: ['$attributes', { $literal: attributes }] } }, MOST_BYTES] },
});

const tooLarge = (field: string) => new AppError(413, 'TOO_LARGE', `${field}: the project holds too much`);

/** The code of an update that would set a field of a text or a number. */
const NO_OBJECT = 28;

interface Change {
  update: UpdateQuery<unknown>;
  told: ReturnType<typeof emits>;
  /** What must hold of the project for it to be changed. */
  only?: Fields;
  /** What is written with it. */
  also?: (session: ClientSession) => Promise<void>;
}

/** The fields that say who may come in. */
const GATES = ['bannedUsers', 'ipFilter', 'ipFilterEnabled', 'ipFilterDeny', 'ipFilterDenyEnabled'];

const movesGates = (update: UpdateQuery<unknown>): boolean =>
  Object.values(update).some((fields) => GATES.some((gate) => gate in (fields as Fields)));

const changeWithin = async (id: string, { update, told, only, also }: Change, session: ClientSession) => {
  const options = { ...told, session, returnDocument: 'after', projection: fieldsOf(ProjectView) } as const;
  const project = await Project.findOneAndUpdate({ _id: id, status: ACTIVE, ...only }, update, options).lean<Stored>();
  if (project && movesGates(update)) await accessChanged({ project: id }, session);
  if (project) await also?.(session);
  return project && shown(project);
};

/** Change a project in use and show it; nothing where `only` does not hold. */
const change = async (id: string, change: Change): Promise<Shown | null> => {
  try {
    return await inTransaction((session) => changeWithin(id, change, session));
  } catch (error) {
    if ((error as { code?: number }).code === NO_OBJECT)
      throw new AppError(422, 'INVALID', 'settings: a dotted key leads into what is no object');
    throw error;
  }
};

const set = async (id: string, $set: Fields): Promise<Shown> => {
  const isEmpty = !Object.keys($set).length;
  return (!isEmpty && (await change(id, { update: { $set }, told: emits('project.update') }))) || read(id);
};

const PASSWORD = 'settings.email.config.pass';

interface Settings {
  email?: { config?: { pass?: unknown } };
}

/** Settings without the mail server's password, which is kept beside them. One that is not given stays as it is: nobody can send what nobody is shown. */
const withoutPassword = ({ [PASSWORD]: flat, settings, ...rest }: Fields): Fields => {
  const { email, ...others } = (settings ?? {}) as Settings;
  const { pass = flat, ...server } = email?.config ?? {};
  const whole = email?.config ? { ...others, email: { ...email, config: server } } : settings;
  return {
    ...rest,
    ...(settings ? { settings: whole } : {}),
    ...(typeof pass === 'string' ? { smtpPassword: pass } : {}),
  };
};

interface Widget extends Fields {
  poweredBy?: unknown;
}

/** A widget whose HTML can do no harm on the sites of others. */
const harmless = (widget: Widget): Widget =>
  widget.poweredBy === undefined ? widget : { ...widget, poweredBy: safeHtml(String(widget.poweredBy)) };

/** Set fields of a project, `settings.…` by their dotted names; the whole project as it is then (contract a 8.3). */
export const update = (id: string, changes: Fields): Promise<Shown> => {
  const { widget, ...rest } = withoutPassword(changes);
  return set(id, { ...rest, ...(widget ? { widget: harmless(widget as Widget) } : {}) });
};

/** Set the attributes that are given and keep the others; 413 when they are too much together. */
export const setAttributes = async (id: string, attributes: Fields): Promise<Shown> => {
  const $set = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`attributes.${key}`, value]));
  if (!Object.keys($set).length) return read(id);
  const changed = await change(id, { update: { $set }, told: emits('project.update'), only: fits(attributes) });
  if (changed) return changed;
  await read(id);
  throw tooLarge('attributes');
};

const MOST_BANS = 5000;

/** Keep a visitor out, and tell it so; banning one who is banned changes nothing. */
export const ban = async (id: string, banned: { id: string; ip?: string }): Promise<Shown> => {
  const only = { 'bannedUsers.id': { $ne: banned.id }, [`bannedUsers.${MOST_BANS - 1}`]: { $exists: false } };
  const told = emits('project.update', 'project.update.user.ban');
  const also = await banNews(id, banned.id);
  const changed = await change(id, { update: { $push: { bannedUsers: banned } }, told, only, also });
  if (changed) return changed;
  const project = await read(id);
  if (project.bannedUsers.length >= MOST_BANS) throw tooLarge('bannedUsers');
  return project;
};

/** Let a banned visitor in again; 404 for an entry that is not there. */
export const unban = async (id: string, entry: string): Promise<Shown> => {
  const told = emits('project.update', 'project.update.user.unban');
  const update = { $pull: { bannedUsers: { _id: entry } } };
  const changed = isId(entry) && (await change(id, { update, told, only: { 'bannedUsers._id': entry } }));
  if (!changed) throw notFound('Banned user not found');
  return changed;
};
