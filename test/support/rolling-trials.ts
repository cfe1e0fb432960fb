/** Two workers, and two API processes behind a load balancer; under load, one of each is replaced at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { waitForRelay } from './changes-log.ts';
import { aFleet, type Fleet, type FleetProcess } from './fleet.ts';
import { aLoadBalancer } from './load-balancer.ts';
import { aLoadClient } from './load-clients.ts';
import { expectConversationsConsistent, expectMessagesOnce } from './message-expectations.ts';
import { followBySockets } from './socket-followers.ts';
import { startSteadyCalls } from './steady-calls.ts';
import { followByWebhooks } from './webhook-receivers.ts';

const SIZE = 2;
const SOCKETS = 2;
const MAX_STARTS = 3;
const CONNECTION_ERROR = /Server selection timed out|Connection is closed|Command timed out/;
const RELAY_SECONDS = 300;
/**
 * How long a stopping API still accepts calls: longer than the interval at which the load balancer checks the
 * processes, so that the load balancer learns of the stop before calls are refused.
 */
const STOP_DELAY_SECONDS = '1';
/** The pause between removing an API process from the load balancer and stopping the process. */
const DEREGISTRATION_MS = 1000;
const EVENTS = ['request.create', 'message.create'];

/** Starts processes of one version of the product. */
export type Version = Pick<Fleet, 'api' | 'worker'>;

/** How a process ended after SIGTERM. */
export interface Stop {
  code: number | null;
  seconds: number;
}

const stop = async (process: FleetProcess): Promise<Stop> => {
  const began = performance.now();
  const code = await process.end('SIGTERM');
  return { code, seconds: (performance.now() - began) / 1000 };
};

/**
 * Starts a process and, like a supervisor, starts it again if it exits because it could not connect to MongoDB or Redis
 * in time.
 */
const startAgain = async (start: () => Promise<FleetProcess>): Promise<FleetProcess> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (attempt === MAX_STARTS || !CONNECTION_ERROR.test(String(error))) throw error;
    }
  }
};

/** Starts the system with processes of the version that `choose` returns: by default this version. */
export const aRollingSystem = async (choose: (fleet: Fleet) => Promise<Version> = async (fleet) => fleet) => {
  const fleet = await aFleet({ STOP_DELAY_SECONDS });
  const balancer = await aLoadBalancer();
  const first = await choose(fleet);
  const apis: FleetProcess[] = [];
  const workers: FleetProcess[] = [];
  for (let index = 0; index < SIZE; index += 1) {
    const [api, worker] = await Promise.all([first.api(), first.worker()]);
    await balancer.add(api.url);
    apis.push(api);
    workers.push(worker);
  }
  const stops: Stop[] = [];
  /**
   * Stops one API process and one worker with SIGTERM, after their replacements have started. With `deregister`, the
   * load balancer is informed before the stop, as in Kubernetes; otherwise it learns of the stop from `/health/ready`.
   */
  const replace = async (
    index: number,
    { api: startApi, worker: startWorker }: Version,
    { deregister = false } = {},
  ): Promise<void> => {
    const at = index % SIZE;
    const [api, worker] = await Promise.all([startAgain(startApi), startAgain(startWorker)]);
    await balancer.add(api.url);
    const [oldApi, oldWorker] = [apis[at], workers[at]] as [FleetProcess, FleetProcess];
    [apis[at], workers[at]] = [api, worker];
    if (deregister) {
      balancer.remove(oldApi.url);
      await sleep(DEREGISTRATION_MS);
    }
    stops.push(...(await Promise.all([stop(oldApi), stop(oldWorker)])));
    balancer.remove(oldApi.url);
  };
  return {
    fleet,
    url: async () => balancer.url,
    replace,
    stops,
    close: async () => {
      balancer.close();
      await fleet.close();
    },
  };
};

/** A running system. */
export type RollingSystem = Awaited<ReturnType<typeof aRollingSystem>>;

/**
 * Runs `work` while clients post `rate` messages per second, read lists, upload files and add contents, and while
 * sockets and webhooks receive the events. Expects that no call failed, that nothing was lost or duplicated, and that
 * every process that was stopped exited with code 0. Returns a summary.
 */
export const runUnderLoad = async (
  { url, stops }: RollingSystem,
  rate: number,
  work: () => Promise<void>,
): Promise<string> => {
  const client = await aLoadClient(url);
  const webhooks = await followByWebhooks(client.id_project, EVENTS);
  const followers = await followBySockets(client, SOCKETS);
  const calls = await startSteadyCalls(client);
  let isStopped = false;
  const sending = client.sendAtRate(rate, () => isStopped);
  await work();
  isStopped = true;
  await sending;
  await calls.complete();
  expect([...client.failures, ...client.refused, ...calls.failures], 'failed calls').to.deep.equal([]);
  expect(stops.filter(({ code }) => code !== 0)).to.deep.equal([]);
  await waitForRelay(RELAY_SECONDS);
  await expectMessagesOnce(client);
  await expectConversationsConsistent(client);
  const frames = await followers.complete();
  await followers.stop();
  const delivered = await webhooks.complete();
  await client.close();
  const { lists, uploads, contents } = calls.counts;
  const longest = Math.max(...stops.map(({ seconds }) => seconds)).toFixed(1);
  return [
    `${stops.length} processes stopped, all with exit code 0 within ${longest} s`,
    `${client.acknowledged.length} messages, ${lists} lists, ${uploads} uploads, ${contents} contents, 0 failed`,
    frames,
    delivered,
  ].join('; ');
};
