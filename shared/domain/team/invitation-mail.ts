/** The emails of invitations. */
import { Project } from '../../models/project.ts';
import type { NewMail } from '../mails/mail-queue.ts';

/** The template of a pending invitation. Despite its name, people with an unverified account receive it, too. */
export const INVITATION_TEMPLATE = 'beenInvitedNewUser';

interface InviterName {
  email?: string;
  fullname?: string;
}

/** Returns the values of the template for the invitation email. */
export const invitationMailValues = async (id_project: string, role: string, { fullname, email = '' }: InviterName) => {
  const project = await Project.findOne({ _id: id_project }, { name: 1 }).lean();
  return { project: project?.name ?? '', role, inviter: fullname || email };
};

/** Returns the email of a pending invitation with the id `_id`. */
export const pendingInvitationMail = async (
  { id_project, _id }: { id_project: string; _id: string },
  { email, role }: { email: string; role: string },
  inviter: InviterName,
): Promise<NewMail> => {
  const values = { ...(await invitationMailValues(id_project, role, inviter)), id_project, invitation: _id };
  return { template: INVITATION_TEMPLATE, to: email, values };
};
