import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { waitUntil } from '../support/wait-until.ts';

/** The entry points, and what each of them logs when it is ready. */
const READY_MESSAGES = { 'api/main.ts': 'api is ready', 'workers/main.ts': 'workers started' };

describe('Processes started directly, as in a container', () => {
  for (const [entry, message] of Object.entries(READY_MESSAGES))
    it(`${entry} without an IPC channel to its parent runs until it receives a signal`, async () => {
      const env = { ...process.env, LOG_LEVEL: 'info', PORT: '0', QUEUE_PREFIX: `direct-${process.pid}` };
      const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      let output = '';
      child.stdout.on('data', (data) => void (output += data));
      await waitUntil(() => output.includes(message) || child.exitCode !== null);
      child.kill('SIGTERM');
      expect(await exited).to.deep.equal([0, null]);
      expect(output).to.include('"reason":"SIGTERM"').and.not.include('"reason":"disconnect"');
    });
});
