/** Entries of the changes log, written as the relay writes them. */
import { wakeUpChannel } from '#shared/domain/events/feed-registry.ts';
import { Change, GAP_PROJECT } from '#shared/models/change.ts';
import { failFastRedis } from '#shared/queue/redis.ts';
import { onSuiteEnd } from './suite-cleanup.ts';

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');
let positionCount = 0;

/**
 * A new position in the log, with a commit time `age` seconds ago. Positions with a later commit time are after it, and
 * those of the same second are in the order of their creation.
 */
export const aPosition = (age = 0): string => {
  positionCount += 1;
  return `82${hex(Math.floor(Date.now() / 1000 - age))}${hex(0xf0000000 + positionCount)}2B0229.000`;
};

/** An event to append; all fields have defaults. */
export interface ChangeInput {
  event?: string;
  payload?: unknown;
  /** The visitor who may read the event, and the payload that this visitor receives. */
  visitor?: string;
  visitor_payload?: unknown;
  /** Seconds since the commit. */
  age?: number;
}

const entryOf = (id_project: string, { age = 0, event = 'project.create', payload = {}, ...fields }: ChangeInput) => {
  const position = aPosition(age);
  const createdAt = new Date(Date.now() - age * 1000);
  return {
    _id: `tests/${position}`,
    id_project,
    position,
    event,
    record: 'x',
    revision: 0,
    payload,
    createdAt,
    ...fields,
  };
};

let redis: ReturnType<typeof failFastRedis> | undefined;

const redisConnection = async () => {
  if (redis) return redis;
  redis = failFastRedis({ lazyConnect: true });
  onSuiteEnd(async () => redis?.disconnect());
  await redis.connect();
  return redis;
};

/** Makes the API processes read the new changes of a project, for the streams and sockets that follow its log. */
export const notifyFollowers = async (project: string): Promise<void> => {
  await (await redisConnection()).publish(wakeUpChannel(project), '');
};

/** Appends changes to a project's log in the given order, without `notifyFollowers`; returns the positions. */
export const appendWithoutNotice = async (project: string, inputs: ChangeInput[]): Promise<string[]> => {
  const entries = inputs.map((each) => entryOf(project, each));
  await Change.insertMany(entries);
  return entries.map(({ position }) => position);
};

/** Appends changes to a project's log and calls `notifyFollowers`, as the relay does. */
export const appendChanges = async (project: string, ...inputs: ChangeInput[]): Promise<string[]> => {
  const positions = await appendWithoutNotice(project, inputs);
  await notifyFollowers(project);
  return positions;
};

/** Appends a gap, the entry that says that events may be missing, to the log of every project. */
export const appendGap = (): Promise<string[]> => appendWithoutNotice(GAP_PROJECT, [{ event: 'gap' }]);

/** Removes the gaps: they affect every reader of the log, including those in other tests. */
export const removeGaps = () => Change.deleteMany({ id_project: GAP_PROJECT });

/** Changes with payloads numbered from 0. */
export const numberedChanges = (count: number) => Array.from({ length: count }, (_, n) => ({ payload: { n } }));
