/** The load of the soak test: visitors and owners of several projects, in cycles of calls. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Caller } from '../../support/api.ts';
import { aOnePersonProject } from '../../support/counted-operations.ts';
import { times } from '../../support/fleet-fixture.ts';
import { aVisitor } from '../../support/people.ts';
import { roundRobin } from './message-loads.ts';

const PROJECT_COUNT = 20;
/** Many, because each visitor may open only 60 conversations per hour. */
const VISITORS_PER_PROJECT = 40;
const MESSAGES_PER_CYCLE = 4;
/** One in this many cycles also adds a text to the knowledge base. */
const CYCLES_PER_CONTENT = 40;

interface Scene {
  id: string;
  owner: Caller;
  visitor: Caller;
}

const createScenes = async (): Promise<Scene[]> => {
  const projects = await Promise.all(times(PROJECT_COUNT, aOnePersonProject));
  const scenes = times(PROJECT_COUNT * VISITORS_PER_PROJECT, async (index) => {
    const { id, owner } = projects[index % PROJECT_COUNT] as Awaited<ReturnType<typeof aOnePersonProject>>;
    return { id, owner, visitor: await aVisitor(id) };
  });
  return Promise.all(scenes);
};

interface ApiCall {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  caller: Caller;
  body?: object;
}

type Send = (call: ApiCall) => Promise<void>;

const createSend =
  (url: string, dispatcher: Agent): Send =>
  async ({ method, path, caller: { authorization }, body }) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = body && { body: JSON.stringify(body) };
    const reply = await request(`${url}/v3/${path}`, { method, dispatcher, headers, ...sent });
    const text = await reply.body.text();
    if (reply.statusCode !== 200) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`);
  };

/** A visitor writes and reads messages; the owner lists, reads and closes the conversation. */
const runCycle = async (send: Send, { id, owner, visitor }: Scene): Promise<void> => {
  const path = `${id}/requests/support-group-${randomUUID()}`;
  const body = { text: 'Where is my order?' };
  for (let count = 0; count < MESSAGES_PER_CYCLE; count++)
    await send({ method: 'POST', path: `${path}/messages`, caller: visitor, body });
  await send({ method: 'GET', path: `${path}/messages`, caller: visitor });
  await send({ method: 'GET', path: `${id}/requests?limit=20`, caller: owner });
  await send({ method: 'GET', path, caller: owner });
  await send({ method: 'PUT', path: `${path}/close`, caller: owner, body: {} });
};

const addContent = (send: Send, { id, owner }: Scene): Promise<void> => {
  const content = { type: 'text', name: 'Note', source: randomUUID(), content: `Order ${randomUUID()} is on its way.` };
  return send({ method: 'POST', path: `${id}/kb`, caller: owner, body: { ...content, namespace: id } });
};

/** Creates the load on the API at `url`. */
export const createSoakLoad = async (url: string) => {
  const dispatcher = new Agent({ connections: 64 });
  const send = createSend(url, dispatcher);
  const nextScene = roundRobin(await createScenes());
  const failures: string[] = [];
  let cycleCount = 0;
  let runningCount = 0;

  const run = async (scene: Scene, number: number): Promise<void> => {
    await runCycle(send, scene);
    if (number % CYCLES_PER_CONTENT === 0) await addContent(send, scene);
  };
  const startCycle = async (): Promise<void> => {
    cycleCount += 1;
    runningCount += 1;
    await run(nextScene(), cycleCount)
      .catch((error: Error) => failures.push(error.message))
      .finally(() => (runningCount -= 1));
  };

  return {
    failures,
    counts: () => ({ cycles: cycleCount, running: runningCount }),
    /** Runs cycles one after another in each of `clients` clients. */
    runAtFullSpeed: async (seconds: number, clients: number): Promise<void> => {
      const end = performance.now() + seconds * 1000;
      const repeat = async (): Promise<void> => {
        while (performance.now() < end) await startCycle();
      };
      await Promise.all(times(clients, repeat));
    },
    /** Starts cycles at a fixed rate, however long they take. */
    runAtRate: async (seconds: number, perSecond: number): Promise<void> => {
      const start = performance.now();
      for (let index = 0; index < seconds * perSecond; index++) {
        await sleep(Math.max(0, start + (index * 1000) / perSecond - performance.now()));
        void startCycle();
      }
    },
    close: () => dispatcher.close(),
  };
};
