/** Inviting people, with an account and without (contract a 6.3 and 7). */
import { z } from 'zod';
import * as invitations from '#shared/domain/team/invitations.ts';
import * as pending from '#shared/domain/team/pending-invitations.ts';
import { PendingInvitationView } from '#shared/models/pending-invitation.ts';
import { ChangedTeammateView } from '#shared/models/project-user.ts';
import { endpoint } from '../http/endpoint.ts';
import { Invitation, InvitationChanges } from './input.ts';

const ROOT = '/v3/:project_id/pendinginvitations';
const REFUSED = { 409: 'A member, invited already, or somebody with an account, whom `project_users/invite` invites' };
const RESENT = 'Resend invitation email to';

/** What was deleted, as known clients count it. */
const Counters = z.strictObject({ acknowledged: z.boolean(), deletedCount: z.number(), n: z.number(), ok: z.number() });

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/project_users/invite',
    role: 'admin',
    summary: 'Invite somebody by e-mail; whoever has no account with this address proved becomes a member once it is',
    body: Invitation,
    reply: ChangedTeammateView.extend({
      msg: z.string().optional(),
      pendingInvitation: PendingInvitationView.optional(),
    }),
    errors: { 409: 'A member, or invited, already' },
    handle: ({ project, body, actor }) => invitations.invite(project, body, actor),
  }),
  endpoint({
    method: 'get',
    path: '/v3/auth/pendinginvitationsnoauth/:pendinginvitationid',
    role: 'none',
    summary: 'An invitation, for the sign-up page that its mail leads to',
    reply: PendingInvitationView,
    handle: ({ params: { pendinginvitationid } }) => invitations.open(pendinginvitationid),
  }),
  endpoint({
    method: 'get',
    path: ROOT,
    role: 'agent',
    summary: 'Invitations of people who have no account yet',
    reply: z.array(PendingInvitationView),
    handle: ({ project }) => invitations.list(project),
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/:id`,
    role: 'agent',
    summary: 'One of them',
    reply: PendingInvitationView,
    handle: ({ project, params: { id } }) => invitations.read(project, id),
  }),
  endpoint({
    method: 'get',
    path: `${ROOT}/resendinvite/:id`,
    role: 'agent',
    summary: 'Send its mail again',
    reply: z.strictObject({ [RESENT]: PendingInvitationView }),
    handle: async ({ project, params: { id }, actor }) => ({ [RESENT]: await invitations.resend(project, id, actor) }),
  }),
  endpoint({
    method: 'post',
    path: ROOT,
    role: 'agent',
    summary: 'Invite somebody who has no account yet; agents invite agents',
    body: Invitation,
    reply: PendingInvitationView,
    errors: REFUSED,
    handle: ({ project, body, actor }) => pending.create(project, body, actor),
  }),
  endpoint({
    method: 'put',
    path: `${ROOT}/:id`,
    record: { in: 'pending_invitations', by: 'id' },
    role: 'agent',
    summary: 'Change an invitation; a new e-mail address is sent a mail, and the mail to the old one is void',
    body: InvitationChanges,
    reply: PendingInvitationView,
    errors: REFUSED,
    handle: ({ project, params: { id }, body, actor }) => pending.change({ id_project: project, _id: id }, body, actor),
  }),
  endpoint({
    method: 'delete',
    path: `${ROOT}/:id`,
    record: { in: 'pending_invitations', by: 'id' },
    role: 'agent',
    summary: 'Take an invitation back',
    reply: Counters,
    handle: async ({ project, params: { id } }) => {
      await invitations.withdraw(project, id);
      return { acknowledged: true, deletedCount: 1, n: 1, ok: 1 };
    },
  }),
];
