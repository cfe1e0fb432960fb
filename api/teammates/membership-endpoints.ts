/**
 * Endpoints that update, disable, trash, delete and restore memberships. A trashed membership is disabled, is in no
 * group, and is not listed by default.
 */
import { z } from 'zod';
import * as memberships from '#shared/domain/team/memberships.ts';
import { TeammateUpdatedView } from '#shared/models/project-user.ts';
import type { Actor } from '../http/auth/authenticate.ts';
import { endpoint } from '../http/endpoint.ts';
import { MembershipChanges, OwnMembershipChanges } from './input.ts';

const BASE_PATH = '/v3/:project_id/project_users';
const RECORD_PATH = `${BASE_PATH}/:project_user_id` as const;
const LAST_OWNER_ERROR = { 409: 'The teammate is the last owner of the project' };

type ParsedChanges = z.output<typeof OwnMembershipChanges> | z.output<typeof MembershipChanges>;

const updateMembership = (
  membershipKey: { id_project: string; _id: string },
  { availabilityInitiator, ...fields }: ParsedChanges,
  { kind, role }: Actor,
) => memberships.update(membershipKey, fields, { kind, role, isAutomatic: availabilityInitiator === 'system' });

export default [
  endpoint({
    method: 'put',
    path: BASE_PATH,
    role: 'agent',
    summary: "Update the caller's own membership; absent and null fields are unchanged",
    body: OwnMembershipChanges,
    reply: TeammateUpdatedView,
    errors: LAST_OWNER_ERROR,
    handle: ({ project, body, actor }) =>
      updateMembership({ id_project: project, _id: actor.membership ?? '' }, body, actor),
  }),
  endpoint({
    method: 'put',
    path: RECORD_PATH,
    record: { collection: 'project_users', parameter: 'project_user_id' },
    role: 'admin',
    programs: 'subscriptions',
    summary: 'Update a membership; absent and null fields are unchanged',
    body: MembershipChanges,
    reply: TeammateUpdatedView,
    errors: LAST_OWNER_ERROR,
    handle: ({ project, params: { project_user_id: _id }, body, actor }) =>
      updateMembership({ id_project: project, _id }, body, actor),
  }),
  endpoint({
    method: 'delete',
    path: RECORD_PATH,
    record: { collection: 'project_users', parameter: 'project_user_id' },
    role: 'admin',
    summary:
      'Disable a teammate. `soft=true` trashes the membership; `hard=true` deletes it. Open conversations stay assigned',
    query: z.object({ soft: z.string().optional(), hard: z.string().optional() }),
    reply: TeammateUpdatedView,
    errors: LAST_OWNER_ERROR,
    handle: ({ project, params: { project_user_id: _id }, query: { soft, hard }, actor }) => {
      const membershipKey = { id_project: project, _id };
      if (soft === 'true') return memberships.trash(membershipKey, actor);
      return hard === 'true' ? memberships.remove(membershipKey, actor) : memberships.disable(membershipKey, actor);
    },
  }),
  endpoint({
    method: 'put',
    path: `${RECORD_PATH}/restore`,
    record: { collection: 'project_users', parameter: 'project_user_id' },
    role: 'admin',
    summary: 'Restore a trashed or disabled membership',
    reply: TeammateUpdatedView,
    handle: ({ project, params: { project_user_id: _id }, actor }) =>
      memberships.restore({ id_project: project, _id }, actor),
  }),
];
