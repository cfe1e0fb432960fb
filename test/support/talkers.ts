/** Visitors' words at a steady pace, each insisted on until it is acknowledged, whatever dies meanwhile. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { call } from './api.ts';
import { aProject, PASSWORD } from './people.ts';
import { times } from './stage.ts';

const CONVERSATIONS = 24;
const AT_ONCE = 16;
const RETRY_MS = 20;
const PATIENCE_MS = 10_000;

/** A message that the API acknowledged. */
export interface Acknowledged {
  _id: string;
  text: string;
  recipient: string;
}

/** Speaks for a teammate in some conversations of a new project, to whichever API serves. */
export const aTalker = async (url: () => Promise<string>) => {
  const { project, admin } = await aProject();
  const signIn = { email: admin.email, password: PASSWORD };
  const { body: signedIn } = await call('POST', `${await url()}/v3/auth/signin`, { body: signIn });
  const dispatcher = new Agent({ connections: AT_ONCE, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });
  const headers = { authorization: signedIn.token, 'content-type': 'application/json' };
  const conversations = times(CONVERSATIONS, () => `support-group-${randomUUID()}`);
  const acknowledged: Acknowledged[] = [];
  const refused: string[] = [];

  /** False when it must be said again. */
  const once = async (recipient: string, body: string): Promise<boolean> => {
    const path = `/v3/${project.id}/requests/${recipient}/messages`;
    const reply = await request((await url()) + path, { method: 'POST', dispatcher, headers, body });
    const text = await reply.body.text();
    if (reply.statusCode >= 500) return false;
    if (reply.statusCode === 200) acknowledged.push(JSON.parse(text) as Acknowledged);
    else refused.push(`${reply.statusCode} ${text}`);
    return true;
  };
  const say = async (at: number): Promise<void> => {
    const recipient = conversations[at % CONVERSATIONS] as string;
    const body = JSON.stringify({ text: `word ${at}`, client_message_id: randomUUID() });
    // The API or its database may be away.
    while (!(await once(recipient, body).catch(() => false))) await sleep(RETRY_MS);
  };

  let said = 0;
  /** As fast as a few callers get answers; messages a second. */
  const hurry = async (ms: number): Promise<number> => {
    const end = Date.now() + ms;
    const before = said;
    const caller = async () => {
      while (Date.now() < end) await say(said++);
    };
    await Promise.all(times(AT_ONCE, caller));
    return ((said - before) * 1000) / (Date.now() - end + ms);
  };
  /** So many a second, answered or not, until `isOver`; ends when all are acknowledged. */
  const keepPace = async (rate: number, isOver: () => boolean): Promise<void> => {
    const started = performance.now();
    const open = new Set<Promise<void>>();
    for (let sent = 0; !isOver(); sent += 1) {
      const word = say(said++).finally(() => open.delete(word));
      open.add(word);
      await sleep(Math.max(0, started + ((sent + 1) * 1000) / rate - performance.now()));
    }
    await Promise.all(open);
  };
  return {
    id_project: project.id,
    conversations,
    acknowledged,
    refused,
    hurry,
    keepPace,
    close: () => dispatcher.destroy(),
  };
};

/** A talker. */
export type Talker = Awaited<ReturnType<typeof aTalker>>;
