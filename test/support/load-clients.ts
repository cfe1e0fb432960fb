/** Clients that post messages. Each message is sent repeatedly until the API accepts or refuses it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { call } from './api.ts';
import { times } from './fleet-fixture.ts';
import { aProject, PASSWORD } from './people.ts';

const CONVERSATION_COUNT = 24;
const PARALLEL_CALLS = 16;
const RETRY_MS = 20;
/** The timeout of a call, longer than any call takes on a busy machine, so that it ends only a call that hangs. */
const PATIENCE_MS = 30_000;

/** A message that the API acknowledged. */
export interface AcknowledgedMessage {
  _id: string;
  text: string;
  recipient: string;
}

/** Counts a failure (an answer with a 5xx status, or no answer) under its name. Returns false. */
const countFailure = (failures: Map<string, number>, name: string): false => {
  failures.set(name, (failures.get(name) ?? 0) + 1);
  return false;
};

/**
 * Posts messages as fast as possible, or at a given rate. `post` takes the number of a message, and sends the message
 * repeatedly until the API answers.
 */
const createSenders = (post: (index: number) => Promise<void>) => {
  let messageCount = 0;
  /** Posts with PARALLEL_CALLS callers as fast as possible, for `ms` milliseconds. Returns the messages per second. */
  const sendAtFullSpeed = async (ms: number): Promise<number> => {
    const end = Date.now() + ms;
    const before = messageCount;
    const caller = async () => {
      while (Date.now() < end) await post(messageCount++);
    };
    await Promise.all(times(PARALLEL_CALLS, caller));
    return ((messageCount - before) * 1000) / (Date.now() - end + ms);
  };
  /** Posts `rate` messages per second until `isStopped` returns true. Resolves when all messages are answered. */
  const sendAtRate = async (rate: number, isStopped: () => boolean): Promise<void> => {
    const started = performance.now();
    const open = new Set<Promise<void>>();
    for (let sent = 0; !isStopped(); sent += 1) {
      const posting = post(messageCount++).finally(() => open.delete(posting));
      open.add(posting);
      await sleep(Math.max(0, started + ((sent + 1) * 1000) / rate - performance.now()));
    }
    await Promise.all(open);
  };
  return { sendAtFullSpeed, sendAtRate };
};

/**
 * A teammate of a new project who posts messages to several conversations. `url` returns the URL of a running API. If
 * `isOrdered` is true, the messages of a conversation are sent one after the other.
 */
export const aLoadClient = async (url: () => Promise<string>, { isOrdered = false } = {}) => {
  const { project, admin } = await aProject();
  const signIn = { email: admin.email, password: PASSWORD };
  const { body: signedIn } = await call('POST', `${await url()}/v3/auth/signin`, { body: signIn });
  const dispatcher = new Agent({ connections: PARALLEL_CALLS, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const authorization: string = signedIn.token;
  const headers = { authorization, 'content-type': 'application/json' };
  const conversations = times(CONVERSATION_COUNT, () => `support-group-${randomUUID()}`);
  const acknowledged: AcknowledgedMessage[] = [];
  const refused: string[] = [];
  const failures = new Map<string, number>();
  let lastSentAt = 0;

  /** Returns false if the message must be sent again. */
  const postOnce = async (recipient: string, body: string): Promise<boolean> => {
    const path = `/v3/${project.id}/requests/${recipient}/messages`;
    const sentAt = performance.now();
    const reply = await request((await url()) + path, { method: 'POST', dispatcher, headers, body });
    const text = await reply.body.text();
    const retryAfter = reply.headers['retry-after'];
    if (reply.statusCode >= 500)
      return countFailure(failures, `${reply.statusCode} ${retryAfter ? 'with' : 'without'} Retry-After`);
    if (reply.statusCode === 200) acknowledged.push(JSON.parse(text) as AcknowledgedMessage);
    else refused.push(`${reply.statusCode} ${text}`);
    lastSentAt = Math.max(lastSentAt, sentAt);
    return true;
  };
  const postUntilAnswered = async (index: number): Promise<void> => {
    const recipient = conversations[index % CONVERSATION_COUNT] as string;
    const body = JSON.stringify({ text: `word ${index}`, client_message_id: randomUUID() });
    const post = () => postOnce(recipient, body).catch((error) => countFailure(failures, String(error.code)));
    while (!(await post())) await sleep(RETRY_MS); // the API or its database may be down
  };
  const running = new Map<number, Promise<void>>();
  /** Posts a message. If `isOrdered` is true, the earlier messages of its conversation are posted first. */
  const post = (index: number): Promise<void> => {
    const conversation = index % CONVERSATION_COUNT;
    const earlier = isOrdered ? running.get(conversation) : undefined;
    const posting = earlier ? earlier.then(() => postUntilAnswered(index)) : postUntilAnswered(index);
    running.set(conversation, posting);
    return posting;
  };

  return {
    url,
    ...{ authorization, id_project: project.id, conversations, acknowledged, refused, failures },
    /** When the last of the answered messages was sent, by `performance.now()`. */
    lastSentAt: () => lastSentAt,
    ...createSenders(post),
    close: () => dispatcher.destroy(),
  };
};

/** A client that posts messages. */
export type LoadClient = Awaited<ReturnType<typeof aLoadClient>>;
