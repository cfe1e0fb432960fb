import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { aFreePort } from '../support/dedicated-database.ts';
import {
  aStartedSystem,
  canListProcesses,
  expectAllEnded,
  runCommand,
  type StopMethod,
  sendSignals,
  waitForOutput,
} from '../support/shutdown-trials.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

const TARGETS = { npm: 'npm', process: 'the process that npm started', group: 'the process group' };

const nameOf = ({ signal, target: to, pausesMs = [] }: StopMethod): string =>
  `${signal} to ${TARGETS[to]}${pausesMs.length ? ', twice' : ''}`;

describe('Shutdown of commands', function () {
  this.timeout(300_000);
  let folder: string;

  before(async function () {
    if (!canListProcesses) skipWithReason(this, 'the processes that a command has started can be listed only on Linux');
    folder = await mkdtemp(join(tmpdir(), 'stopping-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const settings = () => {
    const { MONGODB_URI, REDIS_URL, QUEUE_PREFIX } = config;
    return { MONGODB_URI, REDIS_URL, QUEUE_PREFIX, DATA_DIR: folder, PORT: '0', EMBEDDING_MODEL_FILE: 'off' };
  };

  const STOP_METHODS: StopMethod[] = [
    { signal: 'SIGKILL', target: 'process' },
    { signal: 'SIGTERM', target: 'group', pausesMs: [100] },
  ];
  describe('under load', () => {
    let system: Awaited<ReturnType<typeof aStartedSystem>>;

    before(async () => {
      system = await aStartedSystem(await aFreePort());
    });
    after(() => system.close());

    for (const method of STOP_METHODS)
      it(`npm start leaves no process and no open port, and loses no message, after ${nameOf(method)}`, async () => {
        await system.runStopTrial(method, { isLast: method === STOP_METHODS.at(-1) });
      });
  });

  const COMMANDS: [string[], string, StopMethod][] = [
    [['run', 'api'], 'api is ready', { signal: 'SIGHUP', target: 'npm' }],
    [['run', 'api'], 'api is ready', { signal: 'SIGKILL', target: 'process' }],
    [['run', 'workers'], 'workers started', { signal: 'SIGTERM', target: 'group', pausesMs: [100] }],
    [
      ['test', '--', 'test/set-up/long-running-example.ts'],
      'runs until it is stopped',
      { signal: 'SIGHUP', target: 'npm' },
    ],
  ];
  for (const [args, ready, method] of COMMANDS)
    it(`npm ${args.slice(0, 2).join(' ').replace(' --', '')} leaves no process after ${nameOf(method)}`, async () => {
      const command = runCommand(args, settings());
      await waitForOutput(command, ready);
      await sendSignals(command, method);
      await expectAllEnded(command);
    });
});
