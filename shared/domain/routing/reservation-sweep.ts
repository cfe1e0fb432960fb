/**
 * Removes reservations without a matching assignment, such as those left by a process that was killed after reserving
 * an agent but before opening the conversation.
 */
import type { Types } from 'mongoose';
import { readMany } from '../../database/raw-read.ts';
import { Conversation } from '../../models/conversation.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { currentTimeMs } from '../../time/clock.ts';
import { assignees, dropReservations } from './reservations.ts';

const MIN_AGE_MS = 60_000;
const ASSIGNMENT_FIELDS = { _id: 1, status: 1, workingStatus: 1, participantsAgents: 1 } as const;

type ReservationHolder = {
  id_project: string;
  id_user?: Types.ObjectId | null;
  reservations: { request: string; at: Date }[];
};

/** Returns the reserved conversations that are not assigned to the agent who holds the reservations. */
const findUnused = async ({ id_project, id_user }: ReservationHolder, reserved: string[]): Promise<string[]> => {
  const conversations = await readMany(
    Conversation,
    { id_project, _id: { $in: reserved } },
    { fields: ASSIGNMENT_FIELDS },
  );
  const own = conversations.filter((conversation) => assignees(conversation).includes(String(id_user)));
  const assigned = new Set(own.map(({ _id }) => String(_id)));
  return reserved.filter((request) => !assigned.has(request));
};

/** Drops reservations older than `minAgeMs` whose conversation is not assigned to their agent. Returns their number. */
export const sweepReservations = async (minAgeMs = MIN_AGE_MS): Promise<number> => {
  const old = { $lt: new Date(currentTimeMs() - minAgeMs) };
  const anyProject = { anyProject: true };
  const holders = ProjectUser.find(
    { 'reservations.at': old },
    { id_project: 1, id_user: 1, reservations: 1 },
    anyProject,
  )
    .lean<ReservationHolder>()
    .cursor();
  let dropped = 0;
  for await (const holder of holders) {
    const aged = holder.reservations.filter(({ at }) => at < old.$lt).map(({ request }) => request);
    const requests = await findUnused(holder, aged);
    if (requests.length)
      await dropReservations({ id_project: holder.id_project, id_user: String(holder.id_user) }, requests);
    dropped += requests.length;
  }
  return dropped;
};
