/** The subscriptions of a socket to topics. */
import { currentTimeMs } from '#shared/time/clock.ts';
import type { Topic } from './topics.ts';

/** A record that was created within this time before the state was read may arrive as a change, too. */
const RECENT_MS = 60_000;

/** A topic to which the socket has subscribed. */
export interface TopicSubscription {
  topic: Topic;
  /** Changes up to this cursor are not sent. */
  after: string;
  /** Ids of recent records in the initial state. The client already has them, so their CREATE frames are not sent. */
  recentIds: Set<string>;
}

interface StateRecord {
  _id?: unknown;
  createdAt?: Date | string;
}

/** Returns the ids of the records in a state that were created shortly before the state was read. */
export const recentIdsOf = (state: unknown): Set<string> => {
  const oldest = currentTimeMs() - RECENT_MS;
  const recent = ([state].flat() as (StateRecord | null)[]).filter(
    (record) => record?.createdAt && new Date(record.createdAt).getTime() > oldest,
  );
  return new Set(recent.map((record) => String(record?._id)));
};
