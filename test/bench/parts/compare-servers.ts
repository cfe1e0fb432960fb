/** Compares the API with a bare server: rate, latency, MongoDB commands, processor time and memory of all processes. */
import autocannon, { type Options, type Result } from 'autocannon';
import { expect } from 'chai';
import { expectGoal, type Goal } from './goals.ts';
import { percentile, runInterleaved } from './interleaved-rounds.ts';
import type { ServerProcess } from './server-process.ts';
import { redisPid } from './usage.ts';
import { usageMeter } from './usage-meter.ts';

const ROUND_COUNT = 5;
const SECONDS_PER_ROUND = 3;
const CONNECTIONS = 20;
/** In this time, V8 compiles the frequently called functions of the API, which has more of them than a bare server. */
const WARM_UP_SECONDS = 15;

/** Sends calls for the duration of a round. Returns the calls per second, and adds the time of each call to `times`. */
export const sendCalls = async (options: Options, times: number[]): Promise<number> => {
  const load = { connections: CONNECTIONS, duration: SECONDS_PER_ROUND, ...options };
  const result = await new Promise<Result>((resolve, reject) => {
    const instance = autocannon(load, (error, done) => (error ? reject(error) : resolve(done)));
    instance.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  });
  expect(result.non2xx + result.errors, options.url).to.equal(0);
  return result.requests.average;
};

/** Formats the latency of calls. */
export const formatLatency = (times: number[]): string =>
  `${[50, 95, 99].map((each) => `p${each} ${percentile(times, each / 100).toFixed(1)}`).join(', ')} ms`;

/** The calls to a server. */
export type Load = Partial<Options> & { path?: string };

/** A server, and the calls to it. */
interface LoadedServer {
  server: ServerProcess;
  load: Load;
}

/** Measures the calls to the API and to another server, and compares the ratio of the rates with the goal. */
export const compareServers = async (
  what: string,
  sides: { ours: LoadedServer; bare: LoadedServer },
  goal: Goal,
): Promise<void> => {
  const redis = await redisPid();
  const measureServer = async ({ server: { url, pid }, load }: LoadedServer) => {
    const times: number[] = [];
    const meter = usageMeter({ server: pid, redis });
    const options = { ...load, url: url + (load.path ?? '') };
    await sendCalls({ ...options, duration: WARM_UP_SECONDS }, []);
    return {
      rate: () => meter.measure(() => sendCalls(options, times)),
      describe: () => `${formatLatency(times)}; per call ${meter.describe(times.length)}`,
    };
  };
  const [our, plain] = [await measureServer(sides.ours), await measureServer(sides.bare)];
  const { ours, bare, ratio } = await runInterleaved(ROUND_COUNT, our.rate, plain.rate);
  console.log(`      ours: ${our.describe()}\n      bare: ${plain.describe()}`);
  expectGoal({ what, ours: `${ours.toFixed(0)} /s`, reference: `${bare.toFixed(0)} /s`, value: ratio, goal });
};
