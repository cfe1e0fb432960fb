/** Entries of the changes log, written as the relay writes them: what follows a log needs no more. */
import { nudgeChannel } from '#shared/domain/events/tails.ts';
import { Change, EVERYBODY } from '#shared/models/change.ts';
import { impatientRedis } from '#shared/redis.ts';
import { atEnd } from './at-end.ts';

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');
let made = 0;

/** A place in the log, behind all before it, committed `age` seconds ago. */
export const aPosition = (age = 0): string => {
  made += 1;
  return `82${hex(Math.floor(Date.now() / 1000 - age))}${hex(0xf0000000 + made)}2B0229.000`;
};

/** What is told; whose it is, and what that visitor may see of it. */
export interface Told {
  event?: string;
  payload?: unknown;
  visitor?: string;
  visitor_payload?: unknown;
  /** Seconds since its commit. */
  age?: number;
}

const entryOf = (id_project: string, { age = 0, event = 'project.create', payload = {}, ...more }: Told) => {
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
    ...more,
  };
};

let redis: ReturnType<typeof impatientRedis> | undefined;

const connection = async () => {
  if (redis) return redis;
  redis = impatientRedis({ lazyConnect: true });
  atEnd(async () => redis?.disconnect());
  await redis.connect();
  return redis;
};

/** Say that a project's log has grown. */
export const nudge = async (project: string): Promise<void> => {
  await (await connection()).publish(nudgeChannel(project), '');
};

/** Append to a project's log, in this order; tells the positions. Nobody is nudged. */
export const appendQuietly = async (project: string, told: Told[]): Promise<string[]> => {
  const entries = told.map((each) => entryOf(project, each));
  await Change.insertMany(entries);
  return entries.map(({ position }) => position);
};

/** Append to a project's log and nudge its followers, as the relay does. */
export const append = async (project: string, ...told: Told[]): Promise<string[]> => {
  const positions = await appendQuietly(project, told);
  await nudge(project);
  return positions;
};

/** A hole in the log, of every project. */
export const appendGap = (): Promise<string[]> => appendQuietly(EVERYBODY, [{ event: 'gap' }]);

/** Forget the holes again: they concern whoever reads the log from before them, in any test. */
export const closeGaps = () => Change.deleteMany({ id_project: EVERYBODY });

/** Something to tell: changes that are numbered from 0. */
export const many = (count: number) => Array.from({ length: count }, (_, n) => ({ payload: { n } }));
