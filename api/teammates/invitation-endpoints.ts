/** Endpoints that invite people, and that manage pending invitations. */
import { z } from 'zod';
import { invite } from '#shared/domain/team/invitations.ts';
import * as pending from '#shared/domain/team/pending-invitations.ts';
import { PendingInvitationView } from '#shared/models/pending-invitation.ts';
import { TeammateUpdatedView } from '#shared/models/project-user.ts';
import { endpoint } from '../http/endpoint.ts';
import { Invitation, InvitationChanges } from './input.ts';

const BASE_PATH = '/v3/:project_id/pendinginvitations';
const CONFLICT_ERROR = {
  409: 'The person is a member, is already invited, or can become a member immediately (use `project_users/invite`)',
};
/** The name of the reply's only field, on which deployed clients rely. */
const RESENT_FIELD = 'Resend invitation email to';

/** How many invitations were deleted, in the format of a MongoDB result, on which deployed clients rely. */
const DeleteCounters = z.strictObject({
  acknowledged: z.boolean(),
  deletedCount: z.number(),
  n: z.number(),
  ok: z.number(),
});

export default [
  endpoint({
    method: 'post',
    path: '/v3/:project_id/project_users/invite',
    role: 'admin',
    summary:
      'Invite a person by email. The membership starts immediately if an account owns the address, otherwise as soon as there is such an account',
    body: Invitation,
    reply: TeammateUpdatedView.extend({
      msg: z.string().optional(),
      pendingInvitation: PendingInvitationView.optional(),
    }),
    errors: { 409: 'The person is already a member or already invited' },
    handle: ({ project, body, actor }) => invite(project, body, actor),
  }),
  endpoint({
    method: 'get',
    path: '/v3/auth/pendinginvitationsnoauth/:pendinginvitationid',
    role: 'none',
    summary: 'Get an invitation by the secret in its email link, for the sign-up page',
    reply: PendingInvitationView,
    handle: ({ params: { pendinginvitationid } }) => pending.readBySecret(pendinginvitationid),
  }),
  endpoint({
    method: 'get',
    path: BASE_PATH,
    role: 'agent',
    summary: 'List the pending invitations',
    reply: z.array(PendingInvitationView),
    handle: ({ project }) => pending.list(project),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/:id`,
    role: 'agent',
    summary: 'Get a pending invitation',
    reply: PendingInvitationView,
    handle: ({ project, params: { id } }) => pending.read(project, id),
  }),
  endpoint({
    method: 'get',
    path: `${BASE_PATH}/resendinvite/:id`,
    role: 'agent',
    summary: 'Resend the email for a pending invitation',
    reply: z.strictObject({ [RESENT_FIELD]: PendingInvitationView }),
    handle: async ({ project, params: { id }, actor }) => ({
      [RESENT_FIELD]: await pending.resend(project, id, actor),
    }),
  }),
  endpoint({
    method: 'post',
    path: BASE_PATH,
    role: 'agent',
    summary: 'Invite a person whose address no account owns; agents can invite only agents',
    body: Invitation,
    reply: PendingInvitationView,
    errors: CONFLICT_ERROR,
    handle: ({ project, body, actor }) => pending.create(project, body, actor),
  }),
  endpoint({
    method: 'put',
    path: `${BASE_PATH}/:id`,
    record: { collection: 'pending_invitations', parameter: 'id' },
    role: 'agent',
    summary: 'Update an invitation. A new address receives an email; the link in the previous email becomes invalid',
    body: InvitationChanges,
    reply: PendingInvitationView,
    errors: CONFLICT_ERROR,
    handle: ({ project, params: { id }, body, actor }) => pending.update({ id_project: project, _id: id }, body, actor),
  }),
  endpoint({
    method: 'delete',
    path: `${BASE_PATH}/:id`,
    record: { collection: 'pending_invitations', parameter: 'id' },
    role: 'agent',
    summary: 'Withdraw an invitation',
    reply: DeleteCounters,
    handle: async ({ project, params: { id } }) => {
      await pending.withdraw(project, id);
      return { acknowledged: true, deletedCount: 1, n: 1, ok: 1 };
    },
  }),
];
