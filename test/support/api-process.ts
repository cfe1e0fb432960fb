/** An API in a separate process, for tests that need other settings or send signals. */
import { type ForkOptions, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'undici';
import { onGroupEnd } from './suite-cleanup.ts';
import { waitUntil } from './wait-until.ts';

/** Starts `api/main.ts`. Throws an error with the output of the process if it exits before it listens. */
export const anApiProcess = async (settings: Record<string, string> = {}, options: ForkOptions = {}) => {
  const env = { ...process.env, LOG_LEVEL: 'info', PORT: '0', ...settings };
  const child = fork(new URL('../../api/main.ts', import.meta.url), { env, silent: true, ...options });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => void (output += data));
  const exited = once(child, 'close').then(([code]) => code as number);
  const port = await Promise.race([
    once(child, 'message').then(([message]) => (message as { port: number }).port),
    exited.then((code) => {
      throw new Error(`exit ${code}: ${output}`);
    }),
  ]);
  return {
    pid: child.pid as number,
    url: `http://127.0.0.1:${port}`,
    /** The output of the process so far. */
    output: () => output,
    /** Sends the signal and resolves with the exit code. */
    stop: (signal: NodeJS.Signals = 'SIGTERM'): Promise<number> => {
      child.kill(signal);
      return exited;
    },
    exited,
  };
};

export type ApiProcess = Awaited<ReturnType<typeof anApiProcess>>;

/** Returns the output so far of a process that logs at least at the level `info`, including the log of all requests. */
export const completeOutput = async ({ url, output }: Pick<ApiProcess, 'url' | 'output'>): Promise<string> => {
  const id = randomUUID();
  const { body } = await request(`${url}/health/live`, { headers: { 'x-request-id': id } });
  await body.dump();
  await waitUntil(() => output().includes(id));
  return output();
};

/** The number of characters printed from the end of a shared process's output, if the process exits too early. */
const OUTPUT_CHARACTERS = 2000;

/**
 * Returns a function that starts a process when it is first called. The process is stopped when the test files that
 * share it (`SHARED_BY_GROUP` in scripts/test/suite-files.mjs) have run.
 */
const shared = (settings: Record<string, string>): (() => Promise<ApiProcess>) => {
  let running: Promise<ApiProcess> | undefined;
  const start = async (): Promise<ApiProcess> => {
    const api = await anApiProcess(settings);
    let isStopping = false;
    onGroupEnd(() => {
      isStopping = true;
      running = undefined;
      return api.stop();
    });
    void api.exited.then((code) => {
      if (!isStopping) console.error(`A shared API exited with ${code}: ${api.output().slice(-OUTPUT_CHARACTERS)}`);
    });
    return api;
  };
  return () => (running ??= start());
};

/**
 * An API in the `deployed-clients` profile, otherwise with the settings of this process: one process for all tests that
 * do not stop it.
 */
export const theDeployedClientsApi = shared({ WIRE_PROFILE: 'deployed-clients' });

/**
 * An API with small limits and a complete log: one process for all tests of these settings that do not stop it. An
 * empty setting has its default value, not the high limit that environment.ts sets for the suite.
 */
export const theLimitedApi = shared({
  LOG_LEVEL: 'trace',
  ...{ STREAMS_PER_PRINCIPAL: '', STREAMS_PER_NETWORK: '' },
  ...{
    QUEUE_BOARD_ACTIONS: 'true',
    RESPONSE_TIMEOUT_SECONDS: '1',
    PROJECT_BYTES_PER_DAY: '60000',
    PUBLIC_TRANSCRIPTS: 'off',
  },
});

/** An API with the settings of this process: one process for all tests that need a second API and do not stop it. */
export const theOtherApi = shared({});
