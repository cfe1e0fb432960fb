/** Kills commands that handle backups and personal data. Another run of each command completes its work. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import mongoose, { type mongo } from 'mongoose';
import { config } from '#shared/config.ts';
import { hex } from '../support/chunk-rows.ts';
import { waitForRelay } from '../support/changes-log.ts';
import { aVisitorWithData, searchEverywhere } from '../support/personal-records.ts';
import { startRelayOnce } from '../support/relay.ts';
import { random } from '../support/seeded-random.ts';

const KILLS = 10;
const DOCUMENTS = 60_000;
/** The maximum time from the first progress that a command prints until the command is killed. */
const MAX_WORK_MS = 1500;

const start = (command: string, env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, ['scripts/cli.ts', ...command.split(' ')], { env: { ...process.env, ...env } });

/** Runs a command to its end. Returns its exit code and its output. */
const run = async (command: string, env?: NodeJS.ProcessEnv) => {
  const child = start(command, env);
  const [code, ...outputs] = await Promise.all([
    once(child, 'close').then(([exitCode]) => exitCode as number),
    ...[child.stdout, child.stderr].map(async (stream) => (await Array.fromAsync(stream)).join('')),
  ]);
  return { code, output: outputs.join('') };
};

/** Kills a command after it has printed its first progress. Returns whether it was still running. */
const runAndKill = async (command: string, env?: NodeJS.ProcessEnv): Promise<boolean> => {
  const child = start(command, env);
  const ended = once(child, 'exit');
  await Promise.race([ended, once(child.stdout, 'data')]);
  await Promise.race([ended, sleep(random() * MAX_WORK_MS)]);
  const isRunning = child.exitCode === null;
  child.kill('SIGKILL');
  await ended;
  return isRunning;
};

describe('Backup, restore and erasure while the commands are killed', function kills() {
  this.timeout(1_800_000);

  it(`a backup and a restore that were killed up to ${KILLS} times are completed by another run`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'backup-kills-'));
    const database: mongo.Db = mongoose.connection.getClient().db(`backup-kills-${process.pid}`);
    for (const name of ['messages', 'requests', 'changes'])
      for (let from = 0; from < DOCUMENTS; from += 10_000)
        await database.collection(name).insertMany(Array.from({ length: 10_000 }, () => ({ text: hex(200) })));
    const uri = new URL(config.MONGODB_URI);
    uri.pathname = `/${database.databaseName}`;
    const env = { MONGODB_URI: uri.href, DATA_DIR: join(folder, 'data') };
    const backup = join(folder, 'backup');
    let killed = 0;
    while (!(await run(`backup verify ${backup} --backup-only`, env)).output.includes('Verified')) {
      if (await runAndKill(`backup create ${backup}`, env)) killed += 1;
      if (killed >= KILLS) expect((await run(`backup create ${backup}`, env)).code).to.equal(0);
    }
    await database.dropDatabase();
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill += 1)
      if (await runAndKill(`backup restore ${backup} --force`, env)) interrupted += 1;
    expect(await run(`backup restore ${backup} --force`, env)).to.include({ code: 0 });
    const verified = await run(`backup verify ${backup}`, env);
    expect(verified.output).to.include('Verified: no differences.');
    console.log(`      ${killed} kills during the backup, ${interrupted} during the restore`);
    await database.dropDatabase();
    await rm(folder, { recursive: true });
  });

  it(`an erasure that was killed ${KILLS} times is completed by another run`, async () => {
    startRelayOnce();
    const { email, fullname, phone, text, tag } = await aVisitorWithData();
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill += 1) if (await runAndKill(`people erase ${email}`)) interrupted += 1;
    const { code, output } = await run(`people erase ${email}`);
    expect(code, output).to.equal(0);
    await waitForRelay();
    expect(await searchEverywhere([email, fullname, phone, text, tag])).to.deep.equal([]);
    console.log(`      ${interrupted} kills during the erasure`);
  });
});
