import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import { aFreePort } from '../support/own-database.ts';
import { notRun } from '../support/not-run.ts';
import { aStartedSystem, canList, expectGone, printed, runCommand, stop, type Way } from '../support/stop-trials.ts';

const nameOf = ({ signal, to, pausesMs = [] }: Way): string =>
  `${signal} to ${to === 'npm' ? 'npm' : `the ${to}`}${pausesMs.length ? ', twice' : ''}`;

describe('A command that is stopped', function () {
  this.timeout(300_000);
  let folder: string;

  before(async function () {
    if (!canList) notRun(this, 'only Linux tells which processes a command has started');
    folder = await mkdtemp(join(tmpdir(), 'stopping-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const settings = () => {
    const { MONGODB_URI, REDIS_URL, QUEUE_PREFIX } = config;
    return { MONGODB_URI, REDIS_URL, QUEUE_PREFIX, DATA_DIR: folder, PORT: '0', EMBEDDING_MODEL_FILE: 'off' };
  };

  const WAYS: Way[] = [
    { signal: 'SIGTERM', to: 'group', pausesMs: [100] },
    { signal: 'SIGKILL', to: 'process' },
  ];
  describe('under load', () => {
    let system: Awaited<ReturnType<typeof aStartedSystem>>;

    before(async () => {
      system = await aStartedSystem(await aFreePort());
    });
    after(() => system.close());

    for (const way of WAYS)
      it(`npm start leaves no process, no port and no loss after ${nameOf(way)}`, async () => {
        await system.tryStop(way);
      });
  });

  const COMMANDS: [string[], string, Way][] = [
    [['run', 'api'], 'api is ready', { signal: 'SIGHUP', to: 'npm' }],
    [['run', 'api'], 'api is ready', { signal: 'SIGKILL', to: 'process' }],
    [['run', 'workers'], 'workers started', { signal: 'SIGTERM', to: 'group', pausesMs: [100] }],
    [['test', '--', 'test/set-up/stopping-example.ts'], 'runs until it is stopped', { signal: 'SIGHUP', to: 'npm' }],
  ];
  for (const [args, ready, way] of COMMANDS)
    it(`npm ${args.slice(0, 2).join(' ').replace(' --', '')} leaves no process after ${nameOf(way)}`, async () => {
      const command = runCommand(args, settings());
      await printed(command, ready);
      await stop(command, way);
      await expectGone(command);
    });
});
