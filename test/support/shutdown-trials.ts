/**
 * Trials that stop a command with signals: which processes remain, and whether all messages that were acknowledged
 * before the stop are kept.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { Settings } from '#shared/config.ts';
import { tryPort } from '../../scripts/set-up/ports.mjs';
import { call } from './api.ts';
import { aDedicatedDatabase } from './dedicated-database.ts';
import { aTemporaryFolder } from './temporary-folder.ts';
import { waitUntil } from './wait-until.ts';

const STOP_TIMEOUT_SECONDS = 25;
/** The time that a start may take on a busy machine. */
const READY_TIMEOUT_SECONDS = 180;
/** The pause between two listings of the processes; each listing reads a file of every process. */
const LIST_PAUSE_MS = 200;
const CLIENTS = 4;
const MESSAGES_PER_CONVERSATION = 50;
const MIN_MESSAGES = 30;
/** Set in the environment of a command; every process that it starts inherits it. */
const MARK_VARIABLE = 'STOP_TRIAL';

/** Where the signals are sent: to npm, to the process that npm starts, or to the process group of both. */
export type SignalTarget = 'npm' | 'process' | 'group';

/** A way of stopping a command: one signal, or several. */
export interface StopMethod {
  signal: NodeJS.Signals;
  target: SignalTarget;
  /** The pause before each further signal. */
  pausesMs?: number[];
}

/** Whether the processes of this machine can be listed. */
export const canListProcesses = process.platform === 'linux';

const readProcFile = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // the process has exited
  }
};

const markedPids = (mark: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProcFile(name, 'environ').includes(`${MARK_VARIABLE}=${mark}\0`))
    .map(Number);

const commandLines = (pids: number[]): string[] =>
  pids.map((pid) => readProcFile(String(pid), 'cmdline').replaceAll('\0', ' '));

/** Runs npm with these arguments in a process group of its own, with a marker in its environment. */
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
  return { child, mark, output: () => output, remainingPids: () => markedPids(mark) };
};

export type RunningCommand = ReturnType<typeof runCommand>;

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Waits until the command has printed a string. */
export const waitForOutput = async ({ child, output }: RunningCommand, text: string): Promise<void> => {
  await waitUntil(() => output().includes(text) || hasEnded(child), READY_TIMEOUT_SECONDS).catch(() => undefined);
  if (output().includes(text)) return;
  const state = hasEnded(child) ? `exited with ${child.signalCode ?? `code ${child.exitCode}`}` : 'is still running';
  throw new Error(`The command ${child.spawnargs.join(' ')} ${state} without printing "${text}":\n${output()}`);
};

const pidOf = ({ child, remainingPids }: RunningCommand, to: SignalTarget): number => {
  const npm = child.pid ?? 0;
  if (to === 'npm') return npm;
  if (to === 'group') return -npm;
  const script = remainingPids().find((pid) =>
    /^\S*node\0scripts\/\w+\.mjs\0/.test(readProcFile(String(pid), 'cmdline')),
  );
  if (!script)
    throw new Error(`no process of the npm script was found among: ${commandLines(remainingPids()).join('; ')}`);
  return script;
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already exited.
  }
};

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

/** Expects that all processes of the command exit in time. Returns the number of seconds that this took. */
export const expectAllEnded = async ({ remainingPids, output }: RunningCommand): Promise<number> => {
  const since = performance.now();
  for (const end = since + STOP_TIMEOUT_SECONDS * 1000; remainingPids().length > 0 && performance.now() < end; )
    await sleep(LIST_PAUSE_MS);
  expect(
    commandLines(remainingPids()),
    `processes still running after ${STOP_TIMEOUT_SECONDS} s; output: ${output().slice(-1000)}`,
  ).to.deep.equal([]);
  return (performance.now() - since) / 1000;
};

const json = async (folder: string, file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));

const portsOf = async (folder: string): Promise<number[]> => {
  const { mongodb, redis, api } = await json(folder, 'services.json');
  return [mongodb.port, redis.port, api.port];
};

/** Starts clients that post messages until `end` is called; `texts` contains the texts of the acknowledged messages. */
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

const findLostMessages = async (port: number, texts: string[]): Promise<string[]> => {
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

/**
 * The result of a stop: the number of acknowledged messages, and the seconds until all processes had exited (0 after
 * SIGKILL, when this is not checked).
 */
interface StopResult {
  messages: number;
  seconds: number;
}

// To find lost messages after the last stop, starts only MongoDB, which costs less than a full start.
const findLostWithDatabase = async (folder: string, port: number, texts: string[]): Promise<string[]> => {
  const database = await aDedicatedDatabase('mongodb', join(folder, 'mongodb'), { port });
  return findLostMessages(port, texts).finally(database.kill);
};

/**
 * Runs `npm start` in a new folder. `runStopTrial` stops it under load and, unless this is the last stop, starts it
 * again. It expects that no acknowledged message is lost and, except after SIGKILL, that no process remains and that
 * all ports are free.
 */
export const aStartedSystem = async (port: number) => {
  const folder = await aTemporaryFolder('stop-');
  const settings = { DATA_DIR: folder, PORT: String(port), RATE_LIMIT_POINTS: '1000000', EMBEDDING_MODEL_FILE: 'off' };
  let running = await start(settings);
  const commands = [running];
  const startAgain = async (ports: number[]): Promise<void> => {
    running = await start(settings);
    commands.push(running);
    expect(await portsOf(folder), 'ports of the next start').to.deep.equal(ports);
  };
  const runStopTrial = async (method: StopMethod, { isLast = false } = {}): Promise<StopResult> => {
    const [load, ports] = await Promise.all([startLoad(folder), portsOf(folder)]);
    await sendSignals(running, method);
    const seconds = method.signal === 'SIGKILL' ? 0 : await expectAllEnded(running);
    await load.end();
    if (method.signal !== 'SIGKILL')
      expect(await Promise.all(ports.map((each) => tryPort(each))), 'free ports').to.deep.equal(ports);
    if (!isLast) await startAgain(ports);
    const [port = 0] = ports;
    const findLost = isLast ? findLostWithDatabase(folder, port, load.texts) : findLostMessages(port, load.texts);
    expect(await findLost, 'acknowledged messages that were lost').to.deep.equal([]);
    return { messages: load.texts.length, seconds };
  };
  const close = async (): Promise<void> => {
    try {
      if (!hasEnded(running.child)) await sendSignals(running, { signal: 'SIGTERM', target: 'process' });
      for (const command of commands) await expectAllEnded(command);
    } finally {
      for (const pid of commands.flatMap(({ remainingPids }) => remainingPids())) send(pid, 'SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  };
  return { runStopTrial, close };
};

/** Runs one stop trial in a new system. */
export const runSingleStopTrial = async (method: StopMethod, port: number): Promise<StopResult> => {
  const system = await aStartedSystem(port);
  return system.runStopTrial(method).finally(system.close);
};
