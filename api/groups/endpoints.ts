/** Groups of teammates (contract b 7). */
import { z } from 'zod';
import { flag } from '#shared/lenient.ts';
import * as groups from '#shared/domain/team/groups.ts';
import { GroupView } from '#shared/models/group.ts';
import { FreeObject, Id } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { given } from '../http/given.ts';
import { LIMITS } from '../limits.ts';

const ROOT = '/v3/:project_id/groups';
const ONE = `${ROOT}/:group_id` as const;
const IN_USE = { 403: 'It serves a department' };

const Name = z.string().trim().min(1).max(LIMITS.name);
const Members = z.array(Id).max(LIMITS.groupMembers).meta({ description: 'User ids' });

interface Named {
  project: string;
  params: { group_id: string };
}

const which = ({ project, params }: Named) => ({ id_project: project, _id: params.group_id });

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary: 'The groups by name',
    query: z.object({
      member: z.string().max(LIMITS.visitorId).optional().meta({ description: 'Those of this user' }),
    }),
    reply: z.array(GroupView),
    handle: ({ project, query: { member } }) => groups.list(project, member),
  }),
  endpoint({
    method: 'get',
    path: ONE,
    role: 'agent',
    bots: true,
    summary: 'One group',
    reply: GroupView,
    handle: (call) => groups.read(which(call)),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'admin',
    bots: true,
    summary: 'Make a group of teammates',
    body: z.object({ name: Name, members: Members.nullish() }),
    reply: GroupView,
    handle: ({ project, body: { name, members }, actor }) =>
      groups.create(project, { name, members: members ?? [] }, actor.id),
  }),
  endpoint({
    method: 'put',
    path: ONE,
    record: { in: 'groups', by: 'group_id' },
    role: 'admin',
    bots: true,
    summary: 'Change what is given of a group',
    body: z.object({
      name: Name.nullish(),
      members: Members.nullish(),
      trashed: flag().nullish(),
      attributes: FreeObject.nullish(),
    }),
    reply: GroupView,
    errors: IN_USE,
    handle: (call) => groups.update(which(call), given(call.body)),
  }),
  endpoint({
    method: 'put',
    path: `${ROOT}/enable/:group_id`,
    record: { in: 'groups', by: 'group_id' },
    role: 'admin',
    bots: true,
    summary: 'Have a group serve again',
    reply: GroupView,
    handle: (call) => groups.enable(which(call)),
  }),
  endpoint({
    method: 'put',
    path: `${ROOT}/disable/:group_id`,
    record: { in: 'groups', by: 'group_id' },
    role: 'admin',
    bots: true,
    summary: 'Have a group serve no more',
    reply: GroupView,
    errors: IN_USE,
    handle: (call) => groups.disable(which(call)),
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    record: { in: 'groups', by: 'group_id' },
    role: 'admin',
    bots: true,
    summary: 'Put a group out of sight, or remove it for good',
    query: z.object({ force: z.string().max(LIMITS.name).optional().meta({ description: '`true`: for good' }) }),
    reply: z.union([z.strictObject({ success: z.literal(true), message: z.string() }), GroupView]),
    errors: IN_USE,
    handle: async (call) => {
      if (call.query.force === 'true') return groups.remove(which(call));
      await groups.trash(which(call));
      return { success: true as const, message: 'The group is in the trash' };
    },
  }),
];
