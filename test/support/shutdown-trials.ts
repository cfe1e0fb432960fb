/**
 * Trials of stopping a command: the signals and their receiver, the processes left, and the messages acknowledged
 * meanwhile.
 */
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
import { waitUntil } from './wait-until.ts';

const STOP_TIMEOUT_SECONDS = 25;
/** Timeout of a start on a busy machine. */
const READY_TIMEOUT_SECONDS = 180;
const CLIENTS = 4;
const MESSAGES_PER_CONVERSATION = 50;
const MIN_MESSAGES = 30;
/** Set in the environment of a command, and so of everything it starts. */
const MARK_VARIABLE = 'STOP_TRIAL';

/** Receivers of the signals: npm, the process that npm starts, or the process group of both. */
export type SignalTarget = 'npm' | 'process' | 'group';

/** One way of stopping: signals with pauses of that many milliseconds between them. */
export interface StopMethod {
  signal: NodeJS.Signals;
  target: SignalTarget;
  pausesMs?: number[];
}

/** Whether the processes of this machine can be listed. */
export const canListProcesses = process.platform === 'linux';

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended
  }
};

const markedPids = (mark: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(name, 'environ').includes(`${MARK_VARIABLE}=${mark}\0`))
    .map(Number);

const commandLines = (pids: number[]): string[] =>
  pids.map((pid) => read(String(pid), 'cmdline').replaceAll('\0', ' '));

/** A command of this repository as npm's child, with its own process group and marker. */
export const runCommand = (args: string[], settings: Record<string, string>) => {
  const mark = randomUUID();
  const own = Object.keys(process.env).filter((name) => name in Settings.shape || /^(npm_|NODE_V8)/.test(name));
  const env = {
    ...process.env,
    ...Object.fromEntries(own.map((name) => [name, undefined])),
    ...settings,
    [MARK_VARIABLE]: mark,
  };
  const child = spawn('npm', args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  return { child, mark, output: () => output, left: () => markedPids(mark) };
};

/** A running command. */
export type RunningCommand = ReturnType<typeof runCommand>;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Waits until the command has printed a text. */
export const waitForOutput = async ({ child, output }: RunningCommand, text: string): Promise<void> => {
  await waitUntil(() => output().includes(text) || hasEnded(child), READY_TIMEOUT_SECONDS);
  expect(output()).to.include(text);
};

const pidOf = ({ child, left }: RunningCommand, to: SignalTarget): number => {
  const npm = child.pid ?? 0;
  if (to === 'npm') return npm;
  if (to === 'group') return -npm;
  const script = left().find((pid) => /^\S*node\0scripts\/\w+\.mjs\0/.test(read(String(pid), 'cmdline')));
  if (!script) throw new Error(`npm runs no script: ${commandLines(left()).join('; ')}`);
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
export const sendSignals = async (
  command: RunningCommand,
  { signal, target: to, pausesMs = [] }: StopMethod,
): Promise<void> => {
  const pid = pidOf(command, to);
  send(pid, signal);
  for (const ms of pausesMs) {
    await sleep(ms);
    send(pid, signal);
  }
};

/** Expects that everything the command started ends in time; returns the seconds it took. */
export const expectAllEnded = async ({ left, output }: RunningCommand): Promise<number> => {
  const since = performance.now();
  const hasAllEnded = () => left().length === 0;
  await waitUntil(hasAllEnded, STOP_TIMEOUT_SECONDS).catch(() => undefined);
  expect(
    commandLines(left()),
    `left after ${STOP_TIMEOUT_SECONDS} s; it had printed: ${output().slice(-1000)}`,
  ).to.deep.equal([]);
  return (performance.now() - since) / 1000;
};

const json = async (folder: string, file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));

const portsOf = async (folder: string): Promise<number[]> => {
  const { mongodb, redis, api } = await json(folder, 'services.json');
  return [mongodb.port, redis.port, api.port];
};

/** Clients that post messages to a system until it stops responding; `texts` are the acknowledged ones. */
const startLoad = async (folder: string) => {
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
      if (sent % MESSAGES_PER_CONVERSATION === 0) conversation = `support-group-${project}-${randomUUID()}`;
      await post(conversation).catch(() => sleep(50));
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  await waitUntil(() => texts.length >= MIN_MESSAGES, READY_TIMEOUT_SECONDS);
  return {
    texts,
    end: () => {
      over = true;
      return clients;
    },
  };
};

const findLostMessages = async (folder: string, texts: string[]): Promise<string[]> => {
  const [port] = await portsOf(folder);
  const connection = mongoose.createConnection(`mongodb://127.0.0.1:${port}/support-chat?directConnection=true`);
  try {
    const found = await connection.collection('messages').distinct('text', { text: { $in: texts } });
    return texts.filter((text) => !found.includes(text));
  } finally {
    await connection.close();
  }
};

const READY_TEXT = 'Stop       Ctrl-C';

const start = async (settings: Record<string, string>): Promise<RunningCommand> => {
  const command = runCommand(['start'], settings);
  await waitForOutput(command, READY_TEXT);
  return command;
};

/** Result of a stop: the number of messages acknowledged before it, and the seconds until everything had ended. */
interface Stopped {
  messages: number;
  seconds: number;
}

/**
 * `npm start` in a fresh folder. `tryStop` stops it under load in the given way and starts it again: it leaves no
 * process and no port, takes the same ports again, and has every message that was acknowledged. After `SIGKILL` to the
 * process alone what is left is the next start's. `close` stops it, and expects that no process of any start is left.
 */
export const aStartedSystem = async (port: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'stop-'));
  const settings = { DATA_DIR: folder, PORT: String(port), RATE_LIMIT_POINTS: '1000000', EMBEDDING_MODEL_FILE: 'off' };
  let running = await start(settings);
  const commands = [running];
  const runStopTrial = async (way: StopMethod): Promise<Stopped> => {
    const [load, ports] = await Promise.all([startLoad(folder), portsOf(folder)]);
    await sendSignals(running, way);
    const seconds = way.signal === 'SIGKILL' ? 0 : await expectAllEnded(running);
    await load.end();
    if (way.signal !== 'SIGKILL')
      expect(await Promise.all(ports.map((each) => tryPort(each))), 'free ports').to.deep.equal(ports);
    running = await start(settings);
    commands.push(running);
    expect(await portsOf(folder), 'ports of the next start').to.deep.equal(ports);
    expect(await findLostMessages(folder, load.texts), 'acknowledged and lost').to.deep.equal([]);
    return { messages: load.texts.length, seconds };
  };
  const close = async (): Promise<void> => {
    try {
      await sendSignals(running, { signal: 'SIGTERM', target: 'process' });
      for (const command of commands) await expectAllEnded(command);
    } finally {
      for (const pid of commands.flatMap(({ left }) => left())) send(pid, 'SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  };
  return { tryStop: runStopTrial, close };
};

/** Starts a system, and stops and starts it again in the given way. */
export const tryStop = async (way: StopMethod, port: number): Promise<Stopped> => {
  const system = await aStartedSystem(port);
  return system.tryStop(way).finally(system.close);
};
