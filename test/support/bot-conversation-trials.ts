/** Trials of conversations with bots while the worker is killed: each message must have one reply, in order. */
import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Message } from '#shared/models/message.ts';
import { anApi, api, call } from './api.ts';
import { aBot } from './bots.ts';
import { times } from './fleet-fixture.ts';
import type { KillableWorker } from './killable-worker.ts';
import { aProject } from './people.ts';
import { onSuiteEnd } from './suite-cleanup.ts';
import { listenOnUnusedPort } from './unused-port.ts';
import { waitUntil } from './wait-until.ts';

type Fixture = Awaited<ReturnType<typeof aProject>>;

const MAX_DELAY_MS = 30;
const SECONDS_PER_TURN = 2;
const SECONDS_PER_KILL = 60;

const turnOf = (n: number): string => `turn ${n}`;
const replyOf = (n: number): string => `reply ${n}`;

/** Creates an internal bot with one intent for each turn. Returns its id. */
const anInternalBot = async ({ project, admin }: Fixture, turns: number): Promise<string> => {
  const intents = times(turns, (n) => ({
    intent_display_name: `intent ${n}`,
    question: turnOf(n),
    answer: replyOf(n),
  }));
  const path = `/v3/${project.id}/bots/importjson/null?create=true`;
  const { status, body, text } = await api(admin).post(path, { name: 'Robbie', intents });
  expect(status, text).to.equal(200);
  return body._id;
};

/**
 * An external bot whose server delays every reply and posts every thirteenth one twice. For every seventh message, it
 * fails the first attempt before it replies; for every eleventh, after it has replied. The `client_message_id` of a
 * reply derives from the `webhook-id`, so that a repeated reply is stored once. Returns the id of the bot.
 */
const anUnreliableBot = async ({ project }: Fixture): Promise<string> => {
  const attempts = new Map<string, number>();
  const base = await anApi();
  const postReply = async ({ body, id, n }: { body: ReturnType<typeof JSON.parse>; id: string; n: number }) => {
    const { payload, token } = body;
    const path = `/v3/${project.id}/requests/${payload.request.request_id}/messages`;
    const reply = {
      body: { text: replyOf(n), client_message_id: `reply-to-${id}` },
      headers: { authorization: `JWT ${token}` },
    };
    expect((await call('POST', base + path, reply)).status).to.equal(200);
  };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readText(request));
    const id = String(request.headers['webhook-id']);
    const n = Number(/^turn (\d+)$/.exec(body.payload.text)?.[1] ?? Number.NaN);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const answer = (status: number) => response.writeHead(status).end();
    if (Number.isNaN(n)) return answer(200);
    await sleep(n % MAX_DELAY_MS);
    if (attempt === 1 && n % 7 === 3) return answer(503);
    await postReply({ body, id, n });
    if (n % 13 === 5) await postReply({ body, id, n });
    return answer(attempt === 1 && n % 11 === 4 ? 500 : 200);
  });
  const url = `http://127.0.0.1:${await listenOnUnusedPort(server)}/hook`;
  onSuiteEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (await aBot(project.id, { type: 'external', url })).id;
};

/** A conversation of a visitor with a bot. */
interface Talk {
  kind: 'internal' | 'external';
  turns: number;
}

interface Trial {
  /** The conversations, all of which take place at the same time. */
  talks: Talk[];
  /** How many times the worker is killed. The kills are spread evenly over the turns of the fastest conversation. */
  kills: number;
}

/** Starts to post the turns (messages) of a visitor, one after the other. */
const startTalk = async (fixture: Fixture, { kind, turns }: Talk) => {
  const { project, guest } = fixture;
  const bot = await (kind === 'internal' ? anInternalBot(fixture, turns) : anUnreliableBot(fixture));
  const conversation = `talk-with-${kind}`;
  const path = `/v3/${project.id}/requests/${conversation}/messages`;
  const ofBot = { id_project: project.id, recipient: conversation, sender: { $in: [bot, `bot_${bot}`] } };
  const post = async () => {
    for (const n of times(turns, (each) => each))
      expect((await api(guest).post(path, { text: turnOf(n), participants: [`bot_${bot}`] })).status).to.equal(200);
  };
  return {
    turns,
    posted: post(),
    hasReplies: async (count: number) => (await Message.countDocuments(ofBot)) >= count,
    replies: () => Message.find(ofBot, { text: 1 }).sort({ createdAt: 1, _id: 1 }).lean(),
  };
};

/** Lets visitors talk to bots while the worker is killed, and expects one reply to each turn, in order. */
export const talkWhileWorkerIsKilled = async (
  { killWorker }: KillableWorker,
  { talks, kills }: Trial,
): Promise<void> => {
  const fixture = await aProject();
  const started = await Promise.all(talks.map((talk) => startTalk(fixture, talk)));
  const seconds = SECONDS_PER_KILL + SECONDS_PER_TURN * Math.max(...talks.map(({ turns }) => turns));
  for (const kill of times(kills, (each) => each + 1)) {
    const hasShare = ({ turns, hasReplies }: (typeof started)[number]) =>
      hasReplies(Math.floor((turns * kill) / (kills + 1)));
    await waitUntil(async () => (await Promise.all(started.map(hasShare))).includes(true), seconds);
    await killWorker();
  }
  for (const { turns, posted, hasReplies, replies } of started) {
    await posted;
    await waitUntil(() => hasReplies(turns), seconds);
    expect((await replies()).map(({ text }) => text)).to.deep.equal(times(turns, replyOf));
  }
};
