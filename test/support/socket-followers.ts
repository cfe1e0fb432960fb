/** WebSocket clients that reconnect with their cursors, and a comparison of their frames with the changes log. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { readLogHeads } from './changes-log.ts';
import type { LoadClient } from './load-clients.ts';
import type { ReceivedFrame } from './asyncapi.ts';
import { waitForCount, waitUntil } from './wait-until.ts';

const RECONNECT_MS = 50;

interface FollowedTopic {
  /** The cursor of the first frame, which contains the topic's state. */
  start?: string;
  /** The cursor after which to resume. */
  cursor?: string;
  /** The cursor and the record id of each later frame, in order of arrival. */
  received: string[];
}

/** A running client. */
interface Follower {
  topics: Map<string, FollowedTopic>;
  connections: number;
  /** Frames with errors, and `gap` frames (changes may be missing). Neither may occur. */
  unexpected: ReceivedFrame[];
  socket?: WebSocket;
  isStopped: boolean;
}

const entryOf = (cursor: string, record: unknown): string => `${cursor} ${String(record)}`;

const PONG = JSON.stringify({ action: 'heartbeat', payload: { message: { text: 'pong' } } });

const receive = (follower: Follower, frame: ReceivedFrame): void => {
  const { action, payload } = frame;
  if (action === 'heartbeat') return follower.socket?.send(PONG);
  if (action !== 'publish') return void follower.unexpected.push(frame);
  const topic = follower.topics.get(payload.topic) as FollowedTopic;
  topic.cursor = payload.cursor;
  if (topic.start) topic.received.push(entryOf(payload.cursor, payload.message._id));
  else topic.start = payload.cursor;
};

/** Resumes every topic after its cursor until the connection ends. A topic without a cursor sends its state first. */
const followOnce = async (url: string, authorization: string, follower: Follower): Promise<void> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v3/ws`, { headers: { authorization } });
  follower.socket = socket;
  const ended = Promise.withResolvers<void>();
  socket.on('close', ended.resolve);
  socket.on('error', () => socket.terminate());
  socket.on('message', (data) => receive(follower, JSON.parse(String(data))));
  socket.on('open', () => {
    follower.connections += 1;
    for (const [topic, { cursor: after }] of follower.topics)
      socket.send(JSON.stringify({ action: 'subscribe', payload: { topic, after } }));
  });
  await ended.promise;
};

const followUntilStopped = async (client: LoadClient, follower: Follower): Promise<void> => {
  while (!follower.isStopped) {
    await followOnce(await client.url(), client.authorization, follower);
    await sleep(RECONNECT_MS);
  }
};

const LISTED_EVENTS = ['request.create', 'request.update'];

/** The topics of a client that shows all conversations and their messages, with the changes expected on each topic. */
const changesByTopic = async ({ id_project, conversations }: LoadClient): Promise<Map<string, string[]>> => {
  const log = await readLogHeads(id_project);
  const entries = (isOfTopic: (change: (typeof log)[number]) => boolean): string[] =>
    log.filter(isOfTopic).map(({ position, record }) => entryOf(position, record));
  return new Map([
    [`/${id_project}/requests`, entries(({ event }) => LISTED_EVENTS.includes(event))],
    ...conversations.map((id): [string, string[]] => [
      `/${id_project}/requests/${id}/messages`,
      entries(({ event, payload }) => event === 'message.create' && payload.recipient === id),
    ]),
  ]);
};

/** Counts over all topics of a client. */
interface Comparison {
  expected: number;
  lost: number;
  duplicated: number;
  /** Topics whose frames did not arrive in the order of the log. */
  disordered: number;
}

const compare = ({ topics }: Follower, expected: Map<string, string[]>): Comparison => {
  const counts = { expected: 0, lost: 0, duplicated: 0, disordered: 0 };
  for (const [topic, { received, start = '' }] of topics) {
    const entries = (expected.get(topic) ?? []).filter((entry) => entry > entryOf(start, '~'));
    const distinct = new Set(received);
    counts.expected += entries.length;
    counts.lost += entries.filter((entry) => !distinct.has(entry)).length;
    counts.duplicated += received.length - distinct.size;
    counts.disordered += received.join() === received.toSorted().join() ? 0 : 1;
  }
  return counts;
};

const countReceived = ({ topics }: Follower): number =>
  [...topics.values()].reduce((sum, { received }) => sum + received.length, 0);

/** Expects that a client received every change of its topics exactly once and in order. Returns a summary. */
const expectEachOnce = async (follower: Follower, log: Map<string, string[]>, atLeast: number): Promise<string> => {
  await waitForCount(() => countReceived(follower), compare(follower, log).expected).catch(() => undefined);
  const { expected, ...failures } = compare(follower, log);
  expect(failures).to.deep.equal({ lost: 0, duplicated: 0, disordered: 0 });
  expect(follower.unexpected).to.deep.equal([]);
  expect(expected).to.be.at.least(atLeast);
  return `${expected} frames over ${follower.connections} connections, 0 lost, 0 duplicated`;
};

/**
 * Opens sockets that follow every conversation to which `client` posts messages, and that reconnect after each failure.
 * `complete` expects that each socket received every change exactly once.
 */
export const followBySockets = async (client: LoadClient, count: number) => {
  const topics = [...(await changesByTopic(client)).keys()];
  const followers = Array.from({ length: count }, (): Follower => {
    const each: [string, FollowedTopic][] = topics.map((topic) => [topic, { received: [] }]);
    return { topics: new Map(each), connections: 0, unexpected: [], isStopped: false };
  });
  const running = followers.map((follower) => followUntilStopped(client, follower));
  await waitUntil(() => followers.every((each) => [...each.topics.values()].every(({ start }) => start)));
  return {
    complete: async (): Promise<string> => {
      const log = await changesByTopic(client);
      const atLeast = client.acknowledged.length;
      const summaries = await Promise.all(followers.map((follower) => expectEachOnce(follower, log, atLeast)));
      return `each socket: ${summaries.join('; ')}`;
    },
    stop: async (): Promise<void> => {
      for (const follower of followers) {
        follower.isStopped = true;
        follower.socket?.terminate();
      }
      await Promise.all(running);
    },
  };
};
