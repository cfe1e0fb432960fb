/** How a conversation ends and begins again (contract b 1.9, 1.10, 2.7). */
import { AppError } from '../../errors.ts';
import { wire } from '../../wire-profile.ts';
import {
  type Change,
  type Conversation,
  change,
  isOwn,
  type Speaker,
  type StoredRequest,
  unknown,
} from './requests.ts';
import { moved } from './transitions.ts';

/** How a conversation is closed. */
interface Closing {
  /** Also where it is closed already. */
  force?: boolean;
  /** Whether its people may be written to about it; yes by itself. */
  notify?: boolean;
}

/** What becomes of a conversation that somebody closes; nothing of a closed one, unless forced (decision 50). */
export const ended = (
  before: StoredRequest,
  closed_by: string,
  { force = false, notify = true }: Closing = {},
): Change | null => {
  const status = moved(force ? 'close by force' : 'close', before.status);
  if (status === null) return null;
  const closed_at = new Date();
  const patch = { status };
  return {
    set: { ...patch, closed_at, closed_by, duration: closed_at.getTime() - before.createdAt.getTime() },
    tells: [
      'request.update',
      ['request.updated', { comment: 'STATUS_CHANGE', patch }],
      'request.close',
      ['request.close.extended', { notify }],
    ],
    says: 'CHAT_CLOSED',
  };
};

/** Refuse an agent who takes no part in a conversation; who leads the project, and programs, need not. */
export const refuseBystander = (
  { participantsAgents }: Pick<StoredRequest, 'participantsAgents'>,
  { id, role }: Speaker,
): void => {
  if (role === 'agent' && !participantsAgents.includes(id))
    throw new AppError(403, 'NOT_PARTICIPATING', 'Only who takes part, or an admin, may do this');
};

/** Close a conversation; 403 for an agent who takes no part in it. */
export const close = (where: Conversation, by: Speaker, how: Closing = {}) =>
  change(where, (before) => {
    refuseBystander(before, by);
    return ended(before, by.id, how);
  });

/** Close a conversation in the name of whoever said so in a message: whether the sender may was checked when it was posted. */
export const closeFor = (where: Conversation, closed_by: string) => change(where, (before) => ended(before, closed_by));

/** Close one's own conversation, and say whether it was open; that of another visitor is not there. */
export const closeOwn = async (where: Conversation, by: Speaker) => {
  let wasOpen = false;
  const request = await change(where, (before) => {
    if (!isOwn(before, by)) throw unknown(where);
    const closing = ended(before, by.id);
    wasOpen = closing !== null;
    return closing;
  });
  return { request, wasOpen };
};

/** Open a conversation again, its participants kept; an open one is left as it is (decision 50). */
export const reopen = (where: Conversation) =>
  change(where, ({ status: now, participants }) => {
    const served = wire.reopenedIsServed && participants.length > 0;
    const status = moved(served ? 'reopen for deployed clients, somebody takes part' : 'reopen', now);
    if (status === null) return null;
    return {
      set: { status },
      tells: ['request.update', ['request.updated', { comment: 'REOPEN', patch: { status } }], 'request.reopen'],
      says: 'CHAT_REOPENED',
    };
  });
