import { aFreePort } from '../support/own-database.ts';
import { tryStop, type Way } from '../support/stop-trials.ts';

const TIMES = 10;
const AT_ONCE = 3;

const ONE_SIGNAL = [300];
const TWO_SIGNALS = [2000];

const WAYS: Record<string, Way> = {
  'SIGTERM to npm': { signal: 'SIGTERM', to: 'npm' },
  'SIGTERM to the process': { signal: 'SIGTERM', to: 'process' },
  'SIGTERM to the group, which npm passes on': { signal: 'SIGTERM', to: 'group' },
  'SIGTERM to the group twice within a second': { signal: 'SIGTERM', to: 'group', pausesMs: ONE_SIGNAL },
  'SIGTERM to the process twice, two seconds apart': { signal: 'SIGTERM', to: 'process', pausesMs: TWO_SIGNALS },
  'SIGINT to npm': { signal: 'SIGINT', to: 'npm' },
  'SIGINT to the group twice, two seconds apart': { signal: 'SIGINT', to: 'group', pausesMs: TWO_SIGNALS },
  'SIGHUP to npm, which does not pass it on': { signal: 'SIGHUP', to: 'npm' },
  'SIGHUP to the group': { signal: 'SIGHUP', to: 'group' },
  'SIGKILL to the process, then the next start': { signal: 'SIGKILL', to: 'process' },
};

describe('Stopping npm start under load, at length', () => {
  for (const [name, way] of Object.entries(WAYS))
    it(`leaves no process, no port and no loss: ${name}, ${TIMES} times`, async () => {
      const results: Awaited<ReturnType<typeof tryStop>>[] = [];
      let begun = 0;
      const trials = async (): Promise<void> => {
        while (begun < TIMES) {
          begun += 1;
          results.push(await tryStop(way, await aFreePort()));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, trials));
      const messages = results.reduce((sum, result) => sum + result.messages, 0);
      const longest = Math.max(...results.map(({ seconds }) => seconds));
      console.log(`      ${results.length} stops, ${messages} messages, gone within ${longest.toFixed(1)} s`);
    });
});
