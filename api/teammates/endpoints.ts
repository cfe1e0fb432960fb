/** The people of a project (specification 4.2, contract a 6 and 7). */
import { z } from 'zod';
import * as members from '#shared/domain/team/members.ts';
import * as teammates from '#shared/domain/team/teammates.ts';
import { ChangedTeammateView, OwnTeammateView, TeammateView } from '#shared/models/project-user.ts';
import { Id } from '#shared/view.ts';
import { wire } from '#shared/wire-profile.ts';
import { endpoint } from '../http/endpoint.ts';
import { pageOf } from '../http/paging.ts';
import changes from './changes.ts';
import { Listed, PAGE, Sought, Tags } from './input.ts';
import invitations from './invitations.ts';

const ROOT = '/v3/:project_id/project_users';

export default [
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'agent',
    bots: true,
    summary: 'The teammates, or whoever has the roles asked for',
    query: Listed,
    reply: z.array(TeammateView),
    handle: ({ project, query }) => {
      const { trashed = '', role = [], status, presencestatus: presence } = query;
      const wanted = { trashed: !['', 'false'].includes(trashed), roles: [role].flat(), status, presence };
      return members.list(project, wanted, pageOf(query, PAGE));
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/me`,
    role: 'agent',
    bots: 'subscriptions',
    summary: "The caller's own membership, in an array",
    reply: z.array(OwnTeammateView),
    handle: async ({ project, actor: { membership = '' } }) => [await members.own(project, membership)],
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/users/search`,
    role: 'user',
    bots: 'subscriptions',
    summary: 'The id of the member with an e-mail',
    query: Sought,
    reply: z.strictObject({ _id: Id }),
    handle: async ({ project, query: { email } }) => ({ _id: await members.idByEmail(project, email) }),
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/users/:user_id`,
    role: 'agent',
    bots: 'subscriptions',
    summary: "A user's or visitor's membership, disabled and trashed ones too",
    reply: wire.teammateInArray ? z.array(TeammateView) : TeammateView,
    handle: async ({ project, params: { user_id } }) => {
      const teammate = await members.readOf(project, user_id);
      return wire.teammateInArray ? [teammate] : teammate;
    },
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/:project_user_id`,
    role: 'agent',
    bots: 'subscriptions',
    summary: 'One membership',
    reply: TeammateView,
    handle: ({ project, params: { project_user_id } }) => members.read(project, project_user_id),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'agent',
    summary: 'Make a visitor for whom somebody else writes',
    body: z.object({ tags: Tags.default([]) }),
    reply: ChangedTeammateView,
    handle: ({ project, body: { tags }, actor }) => teammates.addVisitor(project, tags, actor.id),
  }),
  ...changes,
  ...invitations,
];
