/** Mails to the team on conversations that begin or change hands (contract b 2.9). */
import { REQUEST } from '../../models/request.ts';
import * as mails from '../access/mail.ts';
import { aboutOf, assignee, type Conversation, candidates } from './conversation.ts';
import { sendToTeam } from './outgoing.ts';
import { type Sender, senderOf } from './recipients.ts';
import { blocks, wants } from './switches.ts';

const THREE_DAYS_MS = 3 * 86_400_000;

const tellWaiting = async (request: Conversation, sender: Sender): Promise<void> => {
  if (!wants(sender.settings, 'pooled')) return;
  const about = String(request._id);
  const values = aboutOf(sender, request);
  await sendToTeam(
    await candidates(request),
    { id_project: request.id_project, about },
    {
      write: (to) => ({ template: 'pooledRequest', to, values }),
      wants: async ({ email: to, settings }) =>
        wants(settings, 'pooled') && !(await mails.wasTold('pooledRequest', { to, about }, THREE_DAYS_MS)),
    },
  );
};

const tellAssigned = async (request: Conversation, sender: Sender): Promise<void> => {
  if (!wants(sender.settings, 'assigned')) return;
  const values = aboutOf(sender, request);
  await sendToTeam(
    await assignee(request),
    { id_project: request.id_project, about: String(request._id) },
    {
      write: (to) => ({ template: 'assignedRequest', to, values }),
      wants: ({ settings }) => wants(settings, 'assigned.toyou'),
    },
  );
};

/**
 * A conversation that waits is told to all who could take it, once in three days; one that was given to somebody to that one, if it is
 * among those who are new in it.
 */
export const tellOfRequest = async (request: Conversation, added = request.participants): Promise<void> => {
  const sender = request.preflight ? null : await senderOf(request.id_project);
  if (!sender || blocks(sender.settings, 'blocked')) return;
  const [first = ''] = request.participants;
  if (request.status === REQUEST.unserved) await tellWaiting(request, sender);
  if (request.status === REQUEST.served && added.includes(first)) await tellAssigned(request, sender);
};
