/**
 * Presence: a person is online while they have an open socket in any process. Each process holds a lease, and stores a
 * session for each person who has sockets in the process. A person goes offline when the sweep finds that their last
 * socket was closed at least 30 seconds ago, or that the lease of the last process with their sockets has expired.
 */
import { emits } from '../../events.ts';
import { PresenceProcess } from '../../models/presence-process.ts';
import { PresenceSession } from '../../models/presence-session.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { currentTime } from '../../time/clock.ts';

/** Time for which a person stays online without a socket. The lease of a process is valid for the same time. */
const GRACE_MS = 30_000;
const MAX_ENDED_PER_SWEEP = 1000;

/**
 * A person with open sockets. `project` is set only for users of a project's own system, because their ids, which the
 * project chooses, are unique only within the project.
 */
export interface Person {
  kind: string;
  project?: string;
  id: string;
}

const ACCOUNT_KIND = 'user';

const keyOf = ({ kind, project = '', id }: Person): string => `${kind}:${project}:${id}`;

const personOf = (key: string): Person => {
  const [kind = '', project = '', ...id] = key.split(':');
  return { kind, project, id: id.join(':') };
};

const membershipsOf = ({ kind, project, id }: Person) => ({
  ...(kind === ACCOUNT_KIND ? { id_user: id } : { uuid_user: id }),
  ...(project ? { id_project: project } : {}),
  ...ACTIVE_MEMBER,
});

/** Sets the presence of a person in all their projects, with an event for each membership that changes. */
const setPresence = async (key: string, status: 'online' | 'offline'): Promise<void> => {
  const person = personOf(key);
  const kindEvent = person.kind === ACCOUNT_KIND ? 'project_user.update.agent' : 'project_user.update.user';
  const filter = { ...membershipsOf(person), 'presence.status': { $ne: status } };
  const change = { $set: { presence: { status, changedAt: currentTime() } } };
  const options = emits('project_user.update', kindEvent);
  await ProjectUser.updateMany(filter, change, options).setOptions({ anyProject: true });
};

/** Extends the lease of a process. The time is taken from the clock of the database. */
export const extendPresenceLease = async (process: string): Promise<void> => {
  const extended = [{ $set: { leaseUntil: { $add: ['$$NOW', GRACE_MS] } } }];
  await PresenceProcess.updateOne({ _id: process }, extended, { upsert: true, updatePipeline: true });
};

/** Records that a person has open sockets in a process, and sets the person online. Idempotent. */
export const openPresence = async (process: string, person: Person): Promise<void> => {
  const key = keyOf(person);
  const session = { $set: { person: key, process }, $unset: { closedAt: 1 as const } };
  await PresenceSession.updateOne({ _id: `${process} ${key}` }, session, { upsert: true });
  await setPresence(key, 'online');
};

/** Records that a person has no sockets left in a process. `sweepPresence` sets the person offline later. */
export const closePresence = async (process: string, person: Person): Promise<void> => {
  const closed = [{ $set: { closedAt: '$$NOW' } }];
  await PresenceSession.updateOne({ _id: `${process} ${keyOf(person)}` }, closed, { updatePipeline: true });
};

/**
 * Sets a person offline if they have no session in any process. If a socket opens in the meantime, sets the person
 * online again.
 */
const setOfflineIfDisconnected = async (person: string): Promise<void> => {
  if (await PresenceSession.exists({ person })) return;
  await setPresence(person, 'offline');
  if (await PresenceSession.exists({ person })) await setPresence(person, 'online');
};

const findEnded = async (graceMs: number) => {
  const alive = await PresenceProcess.find({ $expr: { $gt: ['$leaseUntil', '$$NOW'] } }, { _id: 1 }).lean();
  const ofDeadProcess = { process: { $nin: alive.map(({ _id }) => _id) } };
  const closed = { closedAt: { $exists: true }, $expr: { $lte: ['$closedAt', { $subtract: ['$$NOW', graceMs] }] } };
  return PresenceSession.find({ $or: [ofDeadProcess, closed] }, { person: 1, closedAt: 1 })
    .limit(MAX_ENDED_PER_SWEEP)
    .lean();
};

/**
 * Ends the sessions whose last socket was closed more than `graceMs` ago or whose process has died, and sets people
 * without another session offline. Returns the number of ended sessions.
 */
export const sweepPresence = async (graceMs = GRACE_MS): Promise<number> => {
  if (!(await PresenceSession.exists({}))) return 0; // a later sweep deletes the records of dead processes
  const ended = await findEnded(graceMs);
  for (const { _id, person, closedAt } of ended) {
    // The session stays if the person has opened another socket in the same process in the meantime.
    const { deletedCount } = await PresenceSession.deleteOne(closedAt ? { _id, closedAt } : { _id });
    if (deletedCount) await setOfflineIfDisconnected(person);
  }
  await PresenceProcess.deleteMany({ $expr: { $lte: ['$leaseUntil', { $subtract: ['$$NOW', GRACE_MS] }] } });
  return ended.length;
};
