/** Changing a membership (specification 3.1 and 4.2). */
import { z } from 'zod';
import * as teammates from '#shared/domain/team/teammates.ts';
import { ChangedTeammateView } from '#shared/models/project-user.ts';
import type { Actor } from '../http/actor.ts';
import { endpoint } from '../http/endpoint.ts';
import { Changes, OwnChanges } from './input.ts';

const ROOT = '/v3/:project_id/project_users';
const ONE = `${ROOT}/:project_user_id` as const;
const LAST_OWNER = { 409: 'It is the last owner' };

type Body = z.output<typeof OwnChanges> | z.output<typeof Changes>;

const change = (
  where: { id_project: string; _id: string },
  { availabilityInitiator, ...fields }: Body,
  { kind, role }: Actor,
) => teammates.update(where, fields, { kind, role, isAutomatic: availabilityInitiator === 'system' });

export default [
  endpoint({
    method: 'put',
    path: ROOT,
    role: 'agent',
    summary: "Change the caller's own membership; what is absent or null stays",
    body: OwnChanges,
    reply: ChangedTeammateView,
    errors: LAST_OWNER,
    handle: ({ project, body, actor }) => change({ id_project: project, _id: actor.membership ?? '' }, body, actor),
  }),
  endpoint({
    method: 'put',
    path: ONE,
    record: { in: 'project_users', by: 'project_user_id' },
    role: 'admin',
    bots: 'subscriptions',
    summary: 'Change a membership; what is absent or null stays',
    body: Changes,
    reply: ChangedTeammateView,
    errors: LAST_OWNER,
    handle: ({ project, params: { project_user_id: _id }, body, actor }) =>
      change({ id_project: project, _id }, body, actor),
  }),
  endpoint({
    method: 'delete',
    path: ONE,
    record: { in: 'project_users', by: 'project_user_id' },
    role: 'admin',
    summary: 'Disable a teammate; `soft=true` puts it in the trash, `hard=true` removes it',
    query: z.object({ soft: z.string().optional(), hard: z.string().optional() }),
    reply: ChangedTeammateView,
    errors: LAST_OWNER,
    handle: ({ project, params: { project_user_id: _id }, query: { soft, hard }, actor }) => {
      const where = { id_project: project, _id };
      if (soft === 'true') return teammates.trash(where, actor);
      return hard === 'true' ? teammates.remove(where, actor) : teammates.disable(where, actor);
    },
  }),
  endpoint({
    method: 'put',
    path: `${ONE}/restore`,
    record: { in: 'project_users', by: 'project_user_id' },
    role: 'admin',
    summary: 'Undo trashing and disabling',
    reply: ChangedTeammateView,
    handle: ({ project, params: { project_user_id: _id }, actor }) =>
      teammates.restore({ id_project: project, _id }, actor),
  }),
];
