import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
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

  const UNREACHABLE = {
    MongoDB: { MONGODB_URI: 'mongodb://127.0.0.1:9/x?directConnection=true&serverSelectionTimeoutMS=300' },
    Redis: { REDIS_URL: 'redis://127.0.0.1:9' },
  };
  for (const entry of Object.keys(READY_MESSAGES))
    for (const [service, settings] of Object.entries(UNREACHABLE))
      it(`${entry} exits with code 1 after one fatal log line that names the address if ${service} cannot be reached`, async () => {
        const env = { ...process.env, LOG_LEVEL: 'fatal', PORT: '0', ...settings };
        const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
        const [output, errors, [code]] = await Promise.all([
          text(child.stdout),
          text(child.stderr),
          once(child, 'exit'),
        ]);
        const [setting] = Object.keys(settings);
        expect(errors).to.equal('');
        expect(
          output
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line).msg),
        ).to.deep.equal([
          `${service} does not answer (connect ECONNREFUSED 127.0.0.1:9). Start the system with npm start, or set ${setting}.`,
        ]);
        expect(code).to.equal(1);
      });
});
