/** Trials of stopping a command: the signal, to whom, how often; what is left of it; what was acknowledged meanwhile. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { Settings } from '#shared/config.ts';
import { tryPort } from '../../scripts/set-up/ports.mjs';
import { call } from './api.ts';
import { until } from './until.ts';

const GONE_SECONDS = 25;
/** A start on a machine that does much else. */
const READY_SECONDS = 180;
const CLIENTS = 4;
const MESSAGES_OF_A_CONVERSATION = 50;
const MOST_MESSAGES = 30;
/** Set in the environment of a command, and so in that of everything it starts. */
const MARK = 'STOP_TRIAL';

/** Whom the signals go to: npm, the process that npm starts, or the process group of both. */
export type Target = 'npm' | 'process' | 'group';

/** One way of stopping: signals with pauses of that many milliseconds between them. */
export interface Way {
  signal: NodeJS.Signals;
  to: Target;
  pausesMs?: number[];
}

/** Whether the processes of this machine can be listed. */
export const canList = process.platform === 'linux';

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended
  }
};

const marked = (mark: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(name, 'environ').includes(`${MARK}=${mark}\0`))
    .map(Number);

const titles = (pids: number[]): string[] => pids.map((pid) => read(String(pid), 'cmdline').replaceAll('\0', ' '));

/** A command of ours that runs as npm's child, in a process group and with a mark of its own. */
export const runCommand = (args: string[], settings: Record<string, string>) => {
  const mark = randomUUID();
  const own = Object.keys(process.env).filter((name) => name in Settings.shape || /^(npm_|NODE_V8)/.test(name));
  const env = {
    ...process.env,
    ...Object.fromEntries(own.map((name) => [name, undefined])),
    ...settings,
    [MARK]: mark,
  };
  const child = spawn('npm', args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  return { child, mark, output: () => output, left: () => marked(mark) };
};

/** A command that runs. */
export type Command = ReturnType<typeof runCommand>;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Waits until the command has printed that. */
export const printed = async ({ child, output }: Command, text: string): Promise<void> => {
  await until(() => output().includes(text) || hasEnded(child), READY_SECONDS);
  expect(output()).to.include(text);
};

const pidOf = ({ child, left }: Command, to: Target): number => {
  const npm = child.pid ?? 0;
  if (to === 'npm') return npm;
  if (to === 'group') return -npm;
  const script = left().find((pid) => /^\S*node\0scripts\/\w+\.mjs\0/.test(read(String(pid), 'cmdline')));
  if (!script) throw new Error(`npm runs no script: ${titles(left()).join('; ')}`);
  return script;
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
};

/** Sends the signals. */
export const stop = async (command: Command, { signal, to, pausesMs = [] }: Way): Promise<void> => {
  const pid = pidOf(command, to);
  send(pid, signal);
  for (const ms of pausesMs) {
    await sleep(ms);
    send(pid, signal);
  }
};

/** Holds that everything the command started ends in time; answers the seconds it took. */
export const expectGone = async ({ left, output }: Command): Promise<number> => {
  const since = performance.now();
  const gone = () => left().length === 0;
  await until(gone, GONE_SECONDS).catch(() => undefined);
  expect(titles(left()), `left after ${GONE_SECONDS} s; it had printed: ${output().slice(-1000)}`).to.deep.equal([]);
  return (performance.now() - since) / 1000;
};

const json = async (folder: string, file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));

const portsOf = async (folder: string): Promise<number[]> => {
  const { mongodb, redis, api } = await json(folder, 'services.json');
  return [mongodb.port, redis.port, api.port];
};

/** Clients that post messages to a system until it answers no longer; `texts` are those acknowledged. */
const underLoad = async (folder: string) => {
  const [{ login, project }, [, , port]] = await Promise.all([json(folder, 'demo.json'), portsOf(folder)]);
  const headers = { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  const texts: string[] = [];
  let over = false;
  const post = async (conversation: string): Promise<void> => {
    const text = randomUUID();
    const url = `http://127.0.0.1:${port}/v3/${project}/requests/${conversation}/messages`;
    const { status } = await call('POST', url, { body: { text }, headers });
    if (status === 200) texts.push(text);
  };
  const client = async (): Promise<void> => {
    for (let sent = 0, conversation = ''; !over; sent += 1) {
      if (sent % MESSAGES_OF_A_CONVERSATION === 0) conversation = `support-group-${project}-${randomUUID()}`;
      await post(conversation).catch(() => sleep(50));
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  await until(() => texts.length >= MOST_MESSAGES, READY_SECONDS);
  return {
    texts,
    end: () => {
      over = true;
      return clients;
    },
  };
};

const lost = async (folder: string, texts: string[]): Promise<string[]> => {
  const [port] = await portsOf(folder);
  const connection = mongoose.createConnection(`mongodb://127.0.0.1:${port}/support-chat?directConnection=true`);
  try {
    const found = await connection.collection('messages').distinct('text', { text: { $in: texts } });
    return texts.filter((text) => !found.includes(text));
  } finally {
    await connection.close();
  }
};

const READY = 'Stop       Ctrl-C';

const start = async (settings: Record<string, string>): Promise<Command> => {
  const command = runCommand(['start'], settings);
  await printed(command, READY);
  return command;
};

/** What a stop found: how many messages were acknowledged before it, and in how many seconds everything was gone. */
interface Stopped {
  messages: number;
  seconds: number;
}

/**
 * `npm start` in a fresh folder. `tryStop` stops it under load, that way, and starts it again: it leaves no process and no
 * port, takes the same ports again, and has every message that was acknowledged. After `SIGKILL` to the process alone what
 * is left is the next start's. `close` stops it, and expects that no process of any start is left.
 */
export const aStartedSystem = async (port: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'stop-'));
  const settings = { DATA_DIR: folder, PORT: String(port), RATE_LIMIT_POINTS: '1000000', EMBEDDING_MODEL_FILE: 'off' };
  let running = await start(settings);
  const commands = [running];
  const tryStop = async (way: Way): Promise<Stopped> => {
    const [load, ports] = await Promise.all([underLoad(folder), portsOf(folder)]);
    await stop(running, way);
    const seconds = way.signal === 'SIGKILL' ? 0 : await expectGone(running);
    await load.end();
    if (way.signal !== 'SIGKILL')
      expect(await Promise.all(ports.map((each) => tryPort(each))), 'free ports').to.deep.equal(ports);
    running = await start(settings);
    commands.push(running);
    expect(await portsOf(folder), 'ports of the next start').to.deep.equal(ports);
    expect(await lost(folder, load.texts), 'acknowledged and lost').to.deep.equal([]);
    return { messages: load.texts.length, seconds };
  };
  const close = async (): Promise<void> => {
    try {
      await stop(running, { signal: 'SIGTERM', to: 'process' });
      for (const command of commands) await expectGone(command);
    } finally {
      for (const pid of commands.flatMap(({ left }) => left())) send(pid, 'SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  };
  return { tryStop, close };
};

/** Starts a system, and stops and starts it again that way. */
export const tryStop = async (way: Way, port: number): Promise<Stopped> => {
  const system = await aStartedSystem(port);
  return system.tryStop(way).finally(system.close);
};
