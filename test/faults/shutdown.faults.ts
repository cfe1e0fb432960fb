/** F11 is a failure described in docs/failures.md. */
import { aFreePort } from '../support/dedicated-database.ts';
import { type StopMethod, runSingleStopTrial } from '../support/shutdown-trials.ts';

const TRIALS_PER_METHOD = 10;
const TRIALS_AT_ONCE = 3;

/** Pauses between signals, in milliseconds. Signals within a second count as one. */
const PAUSE_OF_ONE_SIGNAL = [300];
const PAUSE_OF_TWO_SIGNALS = [2000];

/** The signal goes to npm, to the process that npm starts, or to the process group of both. */
const STOP_METHODS: Record<string, StopMethod> = {
  'SIGTERM to npm': { signal: 'SIGTERM', target: 'npm' },
  'SIGTERM to the process': { signal: 'SIGTERM', target: 'process' },
  'SIGTERM to the group, so that the process gets it twice: directly and from npm': {
    signal: 'SIGTERM',
    target: 'group',
  },
  'SIGTERM to the group twice within a second': { signal: 'SIGTERM', target: 'group', pausesMs: PAUSE_OF_ONE_SIGNAL },
  'SIGTERM to the process twice, two seconds apart': {
    signal: 'SIGTERM',
    target: 'process',
    pausesMs: PAUSE_OF_TWO_SIGNALS,
  },
  'SIGINT to npm': { signal: 'SIGINT', target: 'npm' },
  'SIGINT to the group twice, two seconds apart': { signal: 'SIGINT', target: 'group', pausesMs: PAUSE_OF_TWO_SIGNALS },
  'SIGHUP to npm, which does not pass it on': { signal: 'SIGHUP', target: 'npm' },
  'SIGHUP to the group': { signal: 'SIGHUP', target: 'group' },
  'SIGKILL to the process, followed by a new start': { signal: 'SIGKILL', target: 'process' },
};

describe('Stopping npm start under load', () => {
  for (const [name, method] of Object.entries(STOP_METHODS))
    it(`F11: stopping npm start leaves no process and no open port, and loses no message: ${name}, ${TRIALS_PER_METHOD} times`, async () => {
      const results: Awaited<ReturnType<typeof runSingleStopTrial>>[] = [];
      let startedCount = 0;
      const trials = async (): Promise<void> => {
        while (startedCount < TRIALS_PER_METHOD) {
          startedCount += 1;
          results.push(await runSingleStopTrial(method, await aFreePort()));
        }
      };
      await Promise.all(Array.from({ length: TRIALS_AT_ONCE }, trials));
      const messages = results.reduce((sum, result) => sum + result.messages, 0);
      const longest = Math.max(...results.map(({ seconds }) => seconds));
      console.log(
        `      ${results.length} stops, ${messages} messages, all processes ended within ${longest.toFixed(1)} s`,
      );
    });
});
