/**
 * Compares the rate of frames on sockets, from the changes log to the client, with that of a bare loop that reads and
 * sends changes.
 */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { appendChanges } from '../support/append-changes.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Order } from './parts/bare-followers.ts';
import { aBatch, aProjectWithBatch, CHANGE_COUNT, perSecond } from './parts/change-batches.ts';
import { expectGoal } from './parts/goals.ts';
import { runInterleaved } from './parts/interleaved-rounds.ts';
import { startServer } from './parts/server-process.ts';
import { redisPid } from './parts/usage.ts';
import { usageMeter } from './parts/usage-meter.ts';

const ROUND_COUNT = 5;
const SOCKET_COUNT = 20;
const FRAME_COUNT = CHANGE_COUNT * SOCKET_COUNT;
const MAX_SECONDS = 60;

/** Opens sockets to one server. If a topic is given, subscribes each to the topic and waits for the initial states. */
const openSockets = async (url: string, { authorization = '', topic = '' } = {}) => {
  const frameTimes: number[] = [];
  let stateCount = 0;
  const open = async (): Promise<WebSocket> => {
    const socket = new WebSocket(url, { headers: { authorization } });
    socket.on('message', (data: Buffer) => {
      if (data.includes('"method":"CREATE"') && data.includes('"text"')) frameTimes.push(performance.now());
      else stateCount += 1;
    });
    await once(socket, 'open');
    if (topic) socket.send(JSON.stringify({ action: 'subscribe', payload: { topic } }));
    return socket;
  };
  const sockets = await Promise.all(times(SOCKET_COUNT, open));
  if (topic) await waitUntil(() => stateCount >= SOCKET_COUNT, MAX_SECONDS);
  return {
    /** Returns the frames per second, from the first frame of a batch to the last. */
    frameRate: async (send: () => unknown): Promise<number> => {
      frameTimes.length = 0;
      await send();
      await waitUntil(() => frameTimes.length >= FRAME_COUNT, MAX_SECONDS);
      return perSecond(FRAME_COUNT - 1, (frameTimes.at(-1) ?? 0) - (frameTimes[0] ?? 0));
    },
    close: (): void => {
      for (const socket of sockets) socket.terminate();
    },
  };
};

describe('Benchmark of the rate of frames', function () {
  this.timeout(240_000);

  it('frames reach sockets at 60% of the rate of a bare loop that reads and sends changes', async () => {
    const [{ project, owner }, logged] = await Promise.all([aProject(), aProjectWithBatch()]);
    const [api, bare] = await Promise.all([startServer('../../api/main.ts'), startServer('./parts/bare-followers.ts')]);
    const subscription = { authorization: owner.authorization, topic: `/${project.id}/requests/talk/messages` };
    const sockets = await openSockets(`${api.url.replace('http', 'ws')}/v3/ws`, subscription);
    const bareSockets = await openSockets(bare.url.replace('http', 'ws'));
    const redis = await redisPid();
    const [our, plain] = [usageMeter({ api: api.pid, redis }), usageMeter({ bare: bare.pid, redis })];
    const all = { project: logged.project, after: '0' } satisfies Order;
    const {
      ours,
      bare: bareRate,
      ratio,
    } = await runInterleaved(
      ROUND_COUNT,
      () => our.measure(() => sockets.frameRate(() => appendChanges(project.id, ...aBatch(project.id)))),
      () => plain.measure(() => bareSockets.frameRate(() => bare.child.send(all))),
    );
    for (const [name, meter] of Object.entries({ ours: our, bare: plain }))
      console.log(`      ${name}: per frame ${meter.describe(FRAME_COUNT * (ROUND_COUNT + 1))}`);
    for (const each of [sockets, bareSockets]) each.close();
    for (const { stop } of [api, bare]) stop();
    const rates = { ours: `${ours.toFixed(0)} /s`, reference: `${bareRate.toFixed(0)} /s` };
    expectGoal({ what: 'Frames, from change to socket', ...rates, value: ratio, goal: { atLeast: 0.6 } });
  });
});
