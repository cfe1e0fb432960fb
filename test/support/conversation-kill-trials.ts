/**
 * Trials that post messages while every process and database is killed in turn. Afterwards every acknowledged message
 * must exist once, with its event. Conversations must show their last message. Sockets that reconnected with their
 * cursors must have received every event once. Webhooks must have delivered every event at least once, in order
 * within each conversation.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '#shared/config.ts';
import { relayState } from '#shared/domain/events/relay-lease.ts';
import { waitForRelay } from './changes-log.ts';
import { aDedicatedDatabase } from './dedicated-database.ts';
import { aFleet, type Fleet, type FleetProcess } from './fleet.ts';
import { times } from './fleet-fixture.ts';
import { aLoadClient } from './load-clients.ts';
import { expectConversationsConsistent, expectMessagesOnce } from './message-expectations.ts';
import { random } from './seeded-random.ts';
import { followBySockets } from './socket-followers.ts';
import { aTemporaryFolder } from './temporary-folder.ts';
import { followByWebhooks } from './webhook-receivers.ts';

const MAX_PAUSE_MS = 600;
/** The time within which the relay must work through its backlog after the load. */
const RELAY_SECONDS = 300;

interface FleetProcesses {
  /** Runs the jobs of all queues; it can also run the relay. */
  worker: FleetProcess;
  /** Runs only the relay; if it is absent, the worker runs the relay. */
  relay?: FleetProcess;
  apis: Promise<FleetProcess>[];
}

const startRelay = (fleet: Fleet) => fleet.worker('--queues', 'relay');

const killersOf = (
  fleet: Fleet,
  processes: FleetProcesses,
  mongodb: Awaited<ReturnType<typeof aDedicatedDatabase>>,
) => ({
  relay: async () => {
    if (!processes.relay) return;
    await processes.relay.end('SIGKILL');
    processes.relay = await startRelay(fleet);
  },
  api: async () => {
    const index = Math.floor(random() * processes.apis.length);
    const dying = await (processes.apis[index] as Promise<FleetProcess>);
    await (processes.apis[index] = dying.end('SIGKILL').then(fleet.api));
  },
  worker: async () => {
    await processes.worker.end('SIGKILL');
    processes.worker = await fleet.worker();
  },
  redis: fleet.killRedis,
  mongodb: async () => {
    await mongodb.kill();
    await mongodb.restart();
  },
});

/** Returns the URLs of the running APIs in turn; waits while none is running. */
const urlsInTurn = ({ apis }: FleetProcesses): (() => Promise<string>) => {
  let calls = 0;
  return async () => {
    const first = calls++ % apis.length;
    return (await Promise.race([...apis.slice(first), ...apis.slice(0, first)])).url;
  };
};

/** The processes of a system, in addition to one worker. */
interface SystemSize {
  apiCount: number;
  /** Whether the relay has a process of its own, which is killed separately from the worker. */
  hasRelayProcess: boolean;
}

/**
 * A whole system with its own MongoDB and Redis; until it is closed, the models of this process read its database.
 */
export const aKillableSystem = async ({ apiCount, hasRelayProcess }: SystemSize) => {
  const folder = await aTemporaryFolder('kill-trial-');
  const mongodb = await aDedicatedDatabase('mongodb', join(folder, 'mongodb'));
  const suiteUri = config.MONGODB_URI;
  config.MONGODB_URI = mongodb.url;
  const fleet = await aFleet();
  const apis = times(apiCount, fleet.api);
  const [worker, relay] = await Promise.all([fleet.worker(), hasRelayProcess ? startRelay(fleet) : undefined]);
  await Promise.all(apis);
  const processes: FleetProcesses = { worker, relay, apis };
  return {
    killers: killersOf(fleet, processes, mongodb),
    url: urlsInTurn(processes),
    close: async () => {
      config.MONGODB_URI = suiteUri;
      await fleet.close();
      await mongodb.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

/** A running system whose parts can be killed. */
export type KillableSystem = Awaited<ReturnType<typeof aKillableSystem>>;

const randomPause = () => sleep(random() * MAX_PAUSE_MS);

/**
 * Kills each part once: a process may be killed while another is restarting, a database only while all processes are
 * running.
 */
const killEachPart = async ({ relay, api, worker, redis, mongodb }: KillableSystem['killers']): Promise<void> => {
  const restarts: Promise<void>[] = [];
  for (const kill of [relay, api, worker]) {
    await randomPause();
    restarts.push(kill());
  }
  await Promise.all(restarts);
  for (const kill of [redis, mongodb]) {
    await randomPause();
    await kill();
  }
};

/** The events that webhooks deliver during the trial. */
const DELIVERED_EVENTS = ['request.create', 'request.assigned', 'message.create'];

interface KillPlan {
  /** The time for which the parts are killed in turn. Each part is killed at least once. */
  seconds: number;
  /** The load, as a share (0 to 1) of the highest rate of messages. */
  share: number;
  /** The duration of the warm-up, and of the subsequent measurement of the highest rate, in milliseconds each. */
  measureMs: number;
  /** The number of sockets that follow all conversations during the trial. */
  sockets: number;
}

/** Kills every part in turn until the time is up, but at least once. Returns the number of kills of each part. */
const killInTurn = async (killers: KillableSystem['killers'], seconds: number): Promise<number> => {
  const end = Date.now() + seconds * 1000;
  let rounds = 0;
  do {
    await killEachPart(killers);
    rounds += 1;
  } while (Date.now() < end);
  return rounds;
};

/** Kills every part in turn, at random moments under load; returns a summary of the trial. */
export const killAllPartsUnderLoad = async (
  { killers, url }: KillableSystem,
  { seconds, share, measureMs, sockets }: KillPlan,
): Promise<string> => {
  const client = await aLoadClient(url);
  const webhooks = await followByWebhooks(client.id_project, DELIVERED_EVENTS);
  const followers = await followBySockets(client, sockets);
  await client.sendAtFullSpeed(measureMs); // opens the conversations and warms up the API
  const fullRate = await client.sendAtFullSpeed(measureMs);
  let isStopped = false;
  const sending = client.sendAtRate(fullRate * share, () => isStopped);
  const rounds = await killInTurn(killers, seconds);
  isStopped = true;
  await sending;
  await waitForRelay(RELAY_SECONDS);
  await expectMessagesOnce(client);
  await expectConversationsConsistent(client);
  const frames = await followers.complete();
  await followers.stop();
  const delivered = await webhooks.complete();
  await client.close();
  const lag = JSON.stringify((await relayState())?.lag);
  return [
    `${rounds} kills of each part; ${client.acknowledged.length} messages`,
    `${Math.round(fullRate * share)} messages/s sent of at most ${Math.round(fullRate)}; relay lag in milliseconds ${lag}`,
    frames,
    delivered,
  ].join('; ');
};
