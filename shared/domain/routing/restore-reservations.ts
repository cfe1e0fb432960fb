/**
 * Adds the reservations that are missing after a database import, which stores open conversations without reserving
 * their agents.
 */
import { readMany } from '../../database/raw-read.ts';
import { CONVERSATION_STATUS, Conversation } from '../../models/conversation.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { currentTime } from '../../time/clock.ts';
import { isId } from '../../wire/view.ts';
import { assignees } from './reservations.ts';

const ASSIGNMENT_FIELDS = { _id: 1, status: 1, workingStatus: 1, participantsAgents: 1 } as const;

/** Returns the open conversations of each agent, by the agent's account id. */
const openConversations = async (id_project: string): Promise<Map<string, string[]>> => {
  const filter = { id_project, status: { $lt: CONVERSATION_STATUS.closed }, 'participantsAgents.0': { $exists: true } };
  const byAgent = new Map<string, string[]>();
  for (const conversation of await readMany(Conversation, filter, { fields: ASSIGNMENT_FIELDS }))
    for (const agent of assignees(conversation).filter(isId))
      byAgent.set(agent, [...(byAgent.get(agent) ?? []), String(conversation._id)]);
  return byAgent;
};

/**
 * Adds the missing reservations of a project, without events. A conversation that is closed at the same time may leave
 * a reservation, which `sweepReservations` drops. Returns the number of reservations added.
 */
export const restoreReservations = async (id_project: string): Promise<number> => {
  let added = 0;
  for (const [id_user, conversations] of await openConversations(id_project)) {
    const member = await ProjectUser.findOne({ id_project, id_user }, { reservations: 1 }).lean();
    const reserved = new Set(member?.reservations?.map(({ request }) => request));
    const missing = conversations.filter((request) => !reserved.has(request));
    if (!member || !missing.length) continue;
    const entries = missing.map((request) => ({ request, at: currentTime() }));
    const stages = [
      { $set: { reservations: { $concatArrays: [{ $ifNull: ['$reservations', []] }, { $literal: entries }] } } },
      { $set: { number_assigned_requests: { $size: '$reservations' } } },
    ];
    await ProjectUser.updateOne({ id_project, _id: member._id }, stages, { updatePipeline: true, timestamps: false });
    added += missing.length;
  }
  return added;
};
