/** Imports memberships. */
import { z } from 'zod';
import type { Types } from 'mongoose';
import { ProjectUser, TEAM_ROLE_TYPE, VISITOR_ROLE_TYPE } from '../../../models/project-user.ts';
import { roleRank } from '../../../wire/roles.ts';
import {
  authoredFields,
  type Fields,
  flag,
  id,
  list,
  nonEmptyText,
  number,
  object,
  objectId,
  optional,
  tagFields,
  text,
  time,
  withDefault,
} from '../fields.ts';
import type { ImportedDocument, ImportTable } from '../import-table.ts';
import { withTagIds } from './tag-ids.ts';
import type { Source } from '../../../database/source-database.ts';

const presence = z.preprocess(
  (value) => (typeof value === 'string' ? { status: value } : value),
  z.object({ status: withDefault(z.enum(['online', 'offline']), 'offline'), changedAt: optional(time()) }),
);

/**
 * Returns the presence to store: everyone is offline after the import. If the time of its last change is missing, it is
 * replaced by the time of the document's last update.
 */
const presenceOf = ({ presence: stored, updatedAt }: Fields): Fields | undefined =>
  stored ? { status: 'offline', changedAt: (stored as Fields).changedAt ?? updatedAt } : undefined;

/**
 * Replaces roles that this system does not have. A teammate with such a role, except `supervisor`, is disabled until an
 * admin enables the membership again.
 */
const replaceRole = ({ record, adjustments }: ImportedDocument): void => {
  const { role } = record;
  if (roleRank(role as string) >= 0) return;
  const isTeam = record.roleType === TEAM_ROLE_TYPE;
  const storedRole = isTeam ? 'agent' : 'guest';
  record.role = storedRole;
  if (isTeam && role !== 'supervisor') record.status = 'disabled';
  adjustments.push(
    isTeam && role !== 'supervisor'
      ? 'role: an unknown role of a teammate was replaced by `agent`, and the membership was disabled'
      : `role: ${role === 'supervisor' ? '`supervisor`' : 'an unknown role'} was replaced by \`${storedRole}\``,
  );
};

const isActive = ({ status, trashed }: Fields): boolean => status !== 'disabled' && trashed !== true;

const memberKey = ({ id_project, id_user }: Fields): string => `${String(id_project)} ${String(id_user)}`;

/** Rejects disabled and trashed memberships of people who have another, active membership in the same project. */
const rejectReplacedMemberships = async (batch: ImportedDocument[], source: Source): Promise<void> => {
  const inactive = batch.filter(({ record }) => record.id_user && !isActive(record));
  const collection = memberships.sources.find((name) => source.collections.includes(name));
  if (!inactive.length || !collection) return;
  const users = inactive.map(({ record }) => record.id_user as Types.ObjectId);
  const id_user = { $in: [...users, ...users.map(String)] };
  const found = await source.find(collection, { id_user, status: { $ne: 'disabled' }, trashed: { $ne: true } });
  const active = new Map(found.map((member) => [memberKey(member), String(member._id)]));
  for (const document of inactive) {
    const owner = active.get(memberKey(document.record));
    if (owner) document.rejection = `id_user: the active membership of the same person is ${owner}`;
  }
};

/** Memberships of teammates and visitors. */
export const memberships: ImportTable = {
  model: ProjectUser,
  sources: ['project_users'],
  fields: z.object({
    ...authoredFields,
    id_user: optional(objectId()),
    uuid_user: optional(nonEmptyText()),
    role: nonEmptyText(),
    roleType: optional(number()),
    user_available: withDefault(flag(), true),
    profileStatus: optional(text()),
    presence: optional(presence),
    status: withDefault(z.enum(['active', 'disabled']), 'active'),
    trashed: withDefault(flag(), false),
    attributes: optional(object()),
    settings: optional(object()),
    tags: list(z.object({ _id: optional(id()), ...tagFields })),
    permissions: list(text()),
    max_assigned_chat: optional(number()),
    last_login_at: optional(time()),
  }),
  replaced: {
    number_assigned_requests: 'counted again',
    isBusy: 'computed',
    isAuthenticated: 'computed',
    max_served_chat: 'the former name of max_assigned_chat',
    last_ip: 'IP addresses are not kept',
  },
  complete: async (batch, source) => {
    for (const document of batch) {
      const { record } = document;
      record.roleType ??= ['guest', 'user'].includes(record.role as string) ? VISITOR_ROLE_TYPE : TEAM_ROLE_TYPE;
      record.max_assigned_chat ??= document.document.max_served_chat;
      record.presence = presenceOf(record);
      record.number_assigned_requests = 0;
      record.tags = withTagIds(record.tags as Fields[]);
      replaceRole(document);
      if (!record.id_user && !record.uuid_user) document.rejection = 'id_user: either id_user or uuid_user must be set';
    }
    await rejectReplacedMemberships(batch, source);
  },
};
