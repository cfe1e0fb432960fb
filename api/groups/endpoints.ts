/** Endpoints for groups of teammates. */
import { z } from 'zod';
import * as groups from '#shared/domain/team/groups.ts';
import { GroupView } from '#shared/models/group.ts';
import { flag } from '#shared/wire/coercion.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { FreeObject, Id } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const BASE_PATH = '/v3/:project_id/groups';
const RECORD_PATH = `${BASE_PATH}/:group_id` as const;
const IN_USE_ERROR = { 403: 'The group serves a department' };

const GroupName = z.string().trim().min(1).max(INPUT_LIMITS.name);
const GroupMembers = z.array(Id).max(INPUT_LIMITS.groupMembers).meta({ description: 'User ids of the members' });

interface GroupCall {
  project: string;
  params: { group_id: string };
}

const groupKey = ({ project, params }: GroupCall) => ({ id_project: project, _id: params.group_id });

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'List the groups, sorted by name',
    query: z.object({
      member: z
        .string()
        .max(INPUT_LIMITS.visitorId)
        .optional()
        .meta({ description: 'Id of a user: only groups that contain this user' }),
    }),
    reply: z.array(GroupView),
    handle: ({ project, query: { member } }) => groups.list(project, member),
  }),
  endpoint({
    method: 'get',
    path: RECORD_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'Get a group',
    reply: GroupView,
    handle: (call) => groups.read(groupKey(call)),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'admin',
    programs: 'all',
    summary: 'Create a group',
    body: z.object({ name: GroupName, members: GroupMembers.nullish() }),
    reply: GroupView,
    handle: ({ project, body: { name, members }, actor }) =>
      groups.create(project, { name, members: members ?? [] }, actor.id),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record: { collection: 'groups', parameter: 'group_id' },
    role: 'admin',
    programs: 'all',
    summary: 'Update a group; absent and null fields are unchanged',
    body: z.object({
      name: GroupName.nullish(),
      members: GroupMembers.nullish(),
      trashed: flag().nullish(),
      attributes: FreeObject.nullish(),
    }),
    reply: GroupView,
    errors: IN_USE_ERROR,
    handle: (call) => groups.update(groupKey(call), omitNullish(call.body)),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/enable/:group_id`,
    record: { collection: 'groups', parameter: 'group_id' },
    role: 'admin',
    programs: 'all',
    summary: 'Enable a group',
    reply: GroupView,
    handle: (call) => groups.enable(groupKey(call)),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/disable/:group_id`,
    record: { collection: 'groups', parameter: 'group_id' },
    role: 'admin',
    programs: 'all',
    summary: 'Disable a group',
    reply: GroupView,
    errors: IN_USE_ERROR,
    handle: (call) => groups.disable(groupKey(call)),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record: { collection: 'groups', parameter: 'group_id' },
    role: 'admin',
    programs: 'all',
    summary: 'Trash a group, or delete it permanently with `force=true`',
    query: z.object({
      force: z.string().max(INPUT_LIMITS.name).optional().meta({ description: '`true`: delete permanently' }),
    }),
    reply: z.union([z.strictObject({ success: z.literal(true), message: z.string() }), GroupView]),
    errors: IN_USE_ERROR,
    handle: async (call) => {
      if (call.query.force === 'true') return groups.remove(groupKey(call));
      await groups.trash(groupKey(call));
      return { success: true as const, message: 'Group moved to the trash' };
    },
  }),
];
