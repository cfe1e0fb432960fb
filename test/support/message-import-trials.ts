/** Trials of message imports while the API is killed repeatedly: no message may be lost or duplicated. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { call } from './api.ts';
import { anApiProcess } from './api-process.ts';
import { relayedChanges } from './changes-log.ts';
import { aConversation } from './conversations.ts';
import { times } from './fleet-fixture.ts';
import { random } from './seeded-random.ts';

const RETRY_MS = 20;
const JANUARY = Date.parse('2026-01-01T00:00:00Z');

/**
 * How much is imported, and how repeated messages are recognized: by their `client_message_id` (`name`), or by the
 * Idempotency-Key of each call (`key`), which stays locked for 15 s after the API is killed.
 */
export interface MessageImportTrial {
  messages: number;
  /** The number of messages in one call. */
  batch: number;
  kills: number;
  /** The maximum lifetime of an API process, in milliseconds. */
  maxLifeMs: number;
  identifiedBy: 'name' | 'key';
}

/** An API that is killed and replaced at random moments, `kills` times or until `end` is called. */
const aRepeatedlyKilledApi = ({ kills, maxLifeMs: life }: MessageImportTrial) => {
  let [serving, died, over] = [anApiProcess(), 0, false];
  const killRepeatedly = async (): Promise<void> => {
    while (died < kills && !over) {
      const dying = await serving;
      await sleep(random() * life);
      serving = dying.stop('SIGKILL').then(() => anApiProcess());
      died += 1;
    }
  };
  const dying = killRepeatedly();
  return {
    url: async () => (await serving).url,
    end: async () => {
      over = true;
      await dying;
      await (await serving).stop();
      return died;
    },
  };
};

type ConversationFixture = Awaited<ReturnType<typeof aConversation>>;

interface SendOptions {
  url(): Promise<string>;
  identifiedBy: MessageImportTrial['identifiedBy'];
}

/** Sends a batch to the running API until it is stored; returns how many times it was sent. */
const sendUntilStored = async (
  { one, agent }: ConversationFixture,
  { url, identifiedBy: by }: SendOptions,
  batch: object[],
): Promise<number> => {
  const headers: Record<string, string> = { authorization: agent.authorization };
  if (by === 'key') headers['idempotency-key'] = randomUUID();
  for (let sent = 1; ; sent += 1) {
    const reply = await url()
      .then((base) => call('POST', `${base}${one}/messages/multi`, { body: batch, headers }))
      .catch(() => undefined); // the API was killed during the call
    if (reply?.status === 200) return sent;
    if (reply && reply.status < 500) throw new Error(`${reply.status} ${reply.text}`);
    await sleep(RETRY_MS);
  }
};

const itemsOf = ({ messages, identifiedBy: by }: MessageImportTrial): object[] =>
  times(messages, (index) => ({
    text: `${index}`,
    // Groups of ten messages have the same time, so that their order depends on more than the time.
    attributes: { clienttimestamp: JANUARY + Math.floor(index / 10) },
    ...(by === 'name' && { client_message_id: `m-${index}` }),
  }));

/**
 * Expects every message once and in order, the same `last_message` as before the import, and at least one event per
 * batch.
 */
const expectAllImported = async (
  { project, request_id, posted }: ConversationFixture,
  { messages, batch }: MessageImportTrial,
): Promise<void> => {
  const where = { id_project: project.id, recipient: request_id };
  const stored = await Message.find(where, { text: 1, createdAt: 1 }).sort({ createdAt: 1, _id: 1 }).lean();
  expect(stored.map(({ text }) => text)).to.deep.equal([...times(messages, String), posted.body.text]);
  const request = await Conversation.findOne({ id_project: project.id, request_id }, { attributes: 1 }).lean();
  expect(String(request?.attributes.last_message._id)).to.equal(posted.body._id);
  const imports = (await relayedChanges(project.id)).filter(({ event }) => event === 'message.import');
  expect(imports.length).to.be.at.least(messages / batch);
};

/** Imports messages in order while the API is killed; each batch is sent until it is stored. Returns a summary. */
export const importMessagesUnderKills = async (trial: MessageImportTrial): Promise<string> => {
  const fixture = await aConversation();
  const items = itemsOf(trial);
  const dying = aRepeatedlyKilledApi(trial);
  let calls = 0;
  for (let index = 0; index < items.length; index += trial.batch)
    calls += await sendUntilStored(
      fixture,
      { url: dying.url, identifiedBy: trial.identifiedBy },
      items.slice(index, index + trial.batch),
    );
  const kills = await dying.end();
  await expectAllImported(fixture, trial);
  const batches = Math.ceil(items.length / trial.batch);
  return `${trial.messages} messages in ${batches} batches, ${calls} calls, ${kills} kills`;
};
