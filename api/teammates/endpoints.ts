/** Endpoints for the memberships of a project: teammates and visitors. */
import { z } from 'zod';
import * as members from '#shared/domain/team/membership-views.ts';
import * as membershipWrites from '#shared/domain/team/memberships.ts';
import { OwnTeammateView, TeammateUpdatedView, TeammateView } from '#shared/models/project-user.ts';
import { compatibility } from '#shared/wire/compatibility.ts';
import { Id } from '#shared/wire/view.ts';
import { endpoint } from '../http/endpoint.ts';
import { parsePage } from '../http/request/paging.ts';
import { TEAMMATES_PAGE, TeammateSearchQuery, TeammatesQuery, TeammateTags } from './input.ts';
import invitations from './invitation-endpoints.ts';
import memberships from './membership-endpoints.ts';

const BASE_PATH = '/v3/:project_id/project_users';

export default [
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'agent',
    programs: 'all',
    summary: 'List the teammates, or the members with the given roles',
    query: TeammatesQuery,
    reply: z.array(TeammateView),
    handle: ({ project, query }) => {
      const { trashed = '', role = [], status, presencestatus: presence } = query;
      const filter = { trashed: !['', 'false'].includes(trashed), roles: [role].flat(), status, presence };
      return members.list(project, filter, parsePage(query, TEAMMATES_PAGE));
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/me`,
    role: 'agent',
    programs: 'subscriptions',
    summary: "Get the caller's own membership, as an array with one item",
    reply: z.array(OwnTeammateView),
    handle: async ({ project, actor: { membership = '' } }) => [await members.readOwn(project, membership)],
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/users/search`,
    role: 'user',
    programs: 'subscriptions',
    summary: 'Get the user id of the member with this email address',
    query: TeammateSearchQuery,
    reply: z.strictObject({ _id: Id }),
    handle: async ({ project, query: { email } }) => ({ _id: await members.findUserIdByEmail(project, email) }),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/users/:user_id`,
    role: 'agent',
    programs: 'subscriptions',
    summary: 'Get the membership of a user or visitor, even if it is disabled or trashed',
    reply: compatibility.teammateInArray ? z.array(TeammateView) : TeammateView,
    handle: async ({ project, params: { user_id } }) => {
      const teammate = await members.readByUser(project, user_id);
      return compatibility.teammateInArray ? [teammate] : teammate;
    },
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:project_user_id`,
    role: 'agent',
    programs: 'subscriptions',
    summary: 'Get a membership',
    reply: TeammateView,
    handle: ({ project, params: { project_user_id } }) => members.read(project, project_user_id),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'agent',
    summary: 'Create a visitor for whom teammates can open conversations',
    body: z.object({ tags: TeammateTags.default([]) }),
    reply: TeammateUpdatedView,
    handle: ({ project, body: { tags }, actor }) => membershipWrites.addVisitor(project, tags, actor.id),
  }),
  ...memberships,
  ...invitations,
];
