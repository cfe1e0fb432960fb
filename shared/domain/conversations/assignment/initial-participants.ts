/**
 * The participants that a caller names when opening a conversation: validation, and reservation of agents named by a
 * visitor.
 */
import { releaseReservations, reserve } from '../../routing/reservations.ts';
import { type Actor, isTeam } from '../conversation.ts';
import { assertTeammates } from './followers.ts';
import { assertUsable, lookUpParticipants, type ParticipantLookup } from './participants.ts';

interface NamedParticipants {
  participants?: string[];
  followers?: string[];
}

/**
 * The named participants. If a visitor named them, `teammates` lists the agents among them, who become participants
 * only if they are available and have capacity.
 */
export interface InitialParticipants {
  participants: string[];
  teammates: string[];
}

const namedByVisitor = (
  participants: string[],
  { inactiveIds, unknownIds, teammates }: ParticipantLookup,
): InitialParticipants => {
  assertUsable({ unknownIds });
  return { participants: participants.filter((id) => !inactiveIds.includes(id)), teammates };
};

/**
 * Validates the named participants and followers. Throws 422 for an id that the project does not have, and for an
 * inactive participant; an inactive participant that a visitor names is left out instead.
 */
export const resolveParticipants = async (
  id_project: string,
  named: NamedParticipants,
  actor: Actor,
): Promise<InitialParticipants> => {
  const { participants = [], followers } = named;
  const [known] = await Promise.all([
    participants.length ? lookUpParticipants(id_project, participants) : null,
    followers && assertTeammates(id_project, followers),
  ]);
  if (!known) return { participants, teammates: [] };
  if (!isTeam(actor)) return namedByVisitor(participants, known);
  assertUsable(known);
  return { participants, teammates: [] };
};

/** The conversation that agents are reserved for. */
interface ReservationScope {
  id_project: string;
  /** The conversation's `_id`. */
  request: string;
  /** The project's limit, for agents without one of their own; null if there is none. */
  limit: number | null;
}

/**
 * Reserves the teammates that a visitor named. Returns the participants without those who have no capacity; `undo`
 * releases the reservations.
 */
export const reserveTeammates = async (
  { participants, teammates }: InitialParticipants,
  { id_project, request, limit }: ReservationScope,
) => {
  const reservedIds: string[] = [];
  for (const id of participants.filter((each) => teammates.includes(each)))
    if (await reserve({ id_project, request, limit, userIds: [id] })) reservedIds.push(id);
  return {
    participants: participants.filter((id) => !teammates.includes(id) || reservedIds.includes(id)),
    undo: () => releaseReservations({ _id: request, id_project }, reservedIds),
  };
};
