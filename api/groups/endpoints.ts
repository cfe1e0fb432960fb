/** Groups of teammates (contract b 7). */
import { z } from 'zod';
import * as groups from '#shared/domain/team/groups.ts';
import { GroupView } from '#shared/models/group.ts';
import { Id } from '#shared/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { LIMITS } from '../limits.ts';

const ROOT = '/v3/:project_id/groups';

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
    path: `${ROOT}/:group_id`,
    role: 'agent',
    bots: true,
    summary: 'One group',
    reply: GroupView,
    handle: ({ project, params: { group_id } }) => groups.read(project, group_id),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'admin',
    bots: true,
    summary: 'Make a group of teammates',
    body: z.object({
      name: z.string().trim().min(1).max(LIMITS.name),
      members: z.array(Id).max(LIMITS.groupMembers).default([]).meta({ description: 'User ids' }),
    }),
    reply: GroupView,
    handle: ({ project, body, actor }) => groups.create(project, body, actor.id),
  }),
];
