/** Trials of messages that are imported while the API dies again and again: none is lost, none there twice. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Message } from '#shared/models/message.ts';
import { Request } from '#shared/models/request.ts';
import { anApiProcess } from './api-process.ts';
import { call } from './api.ts';
import { changes } from './changes.ts';
import { aConversation } from './conversations.ts';
import { times } from './stage.ts';

const RETRY_MS = 20;
const JANUARY = Date.parse('2026-01-01T00:00:00Z');

/** How much is imported, and how it is known again: by the names of the messages, or by the key of each call, which a dead API holds for 15 s. */
export interface Trial {
  messages: number;
  /** Messages of one call. */
  batch: number;
  kills: number;
  /** Longest life of an API, in milliseconds. */
  life: number;
  by: 'name' | 'key';
}

/** An API that dies, and is followed by another, so many times at random moments until told to stop. */
const aDyingApi = ({ kills, life }: Trial) => {
  let [serving, died, over] = [anApiProcess(), 0, false];
  const dieOn = async (): Promise<void> => {
    while (died < kills && !over) {
      const dying = await serving;
      await sleep(Math.random() * life);
      serving = dying.stop('SIGKILL').then(() => anApiProcess());
      died += 1;
    }
  };
  const dying = dieOn();
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

type World = Awaited<ReturnType<typeof aConversation>>;

interface Sending {
  url(): Promise<string>;
  by: Trial['by'];
}

/** Send a batch to whichever API serves until one says that it is stored; how often it had to be sent. */
const insist = async ({ one, agent }: World, { url, by }: Sending, batch: object[]): Promise<number> => {
  const headers: Record<string, string> = { authorization: agent.authorization };
  if (by === 'key') headers['idempotency-key'] = randomUUID();
  for (let sent = 1; ; sent += 1) {
    const reply = await url()
      .then((base) => call('POST', `${base}${one}/messages/multi`, { body: batch, headers }))
      .catch(() => undefined); // it died under the call
    if (reply?.status === 200) return sent;
    if (reply && reply.status < 500) throw new Error(`${reply.status} ${reply.text}`);
    await sleep(RETRY_MS);
  }
};

const itemsOf = ({ messages, by }: Trial): object[] =>
  times(messages, (at) => ({
    text: `${at}`,
    // Every ten are said in the same millisecond.
    attributes: { clienttimestamp: JANUARY + Math.floor(at / 10) },
    ...(by === 'name' && { client_message_id: `m-${at}` }),
  }));

/** Everything is there once and in order, behind it the conversation is what it was, and the log tells of every message. */
const expectWhole = async ({ project, request_id, posted }: World, { messages, batch }: Trial): Promise<void> => {
  const where = { id_project: project.id, recipient: request_id };
  const stored = await Message.find(where, { text: 1, createdAt: 1 }).sort({ createdAt: 1, _id: 1 }).lean();
  expect(stored.map(({ text }) => text)).to.deep.equal([...times(messages, String), posted.body.text]);
  const request = await Request.findOne({ id_project: project.id, request_id }, { attributes: 1 }).lean();
  expect(String(request?.attributes.last_message._id)).to.equal(posted.body._id);
  const told = (await changes(project.id)).filter(({ event }) => event === 'message.import');
  expect(told.length).to.be.at.least(messages / batch);
};

/** Import in order while the API is killed, each batch sent again until it is in; tells what went on. */
export const underKills = async (trial: Trial): Promise<string> => {
  const world = await aConversation();
  const items = itemsOf(trial);
  const dying = aDyingApi(trial);
  let calls = 0;
  for (let at = 0; at < items.length; at += trial.batch)
    calls += await insist(world, { url: dying.url, by: trial.by }, items.slice(at, at + trial.batch));
  const kills = await dying.end();
  await expectWhole(world, trial);
  return `${trial.messages} messages in ${calls} calls of ${Math.ceil(items.length / trial.batch)}, ${kills} kills`;
};
