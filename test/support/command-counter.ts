/**
 * Counts the MongoDB commands that an operation causes in all roles of the system: in the API, the relay, the listeners
 * and the jobs, which all run in this process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { QUEUE_NAMES } from '#shared/jobs.ts';
import { blockingRedis } from '#shared/queue/redis.ts';
import { createQueueWorker } from '../../workers/queue-worker.ts';
import { startRelayOnce } from './relay.ts';

/** An operation counts as ended after this time without commands. Listeners gather events for a shorter time. */
const CALM_MS = 1500;
const CALM_WITHOUT_EVENTS_MS = 200;
const POLL_MS = 50;
const CONCURRENCY = 16;

/** Commands that run periodically, without any operation. */
const PERIODIC = new Set([
  ...['find access_changes', 'find instance_controls', 'update process_heartbeats'],
  ...['update relays', 'findAndModify relays', 'getMore $cmd.aggregate'],
  'distinct project_users', // `maintenance.emit-load-changes`: at most once a second, however many operations run
]);

/** The numbers of commands by name and collection, such as `insert messages`. */
export type CommandCounts = Record<string, number>;

/** Returns the total number of commands. */
export const totalOf = (counts: CommandCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

const nameOf = (commandName: string, command: Record<string, unknown>): string =>
  `${commandName} ${String(command.collection ?? command[commandName])}`;

/** Starts the relay and the workers of all queues. Call `close` at the end. */
export const aCommandCounter = async () => {
  await initCursors();
  startRelayOnce();
  const connection = blockingRedis();
  const workers = QUEUE_NAMES.map((queue) => createQueueWorker(queue, { connection, concurrency: CONCURRENCY }));
  const client = mongoose.connection.getClient();
  let names: string[] = [];
  let lastAt = Date.now();
  const note = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }): void => {
    const name = nameOf(commandName, command);
    if (PERIODIC.has(name)) return;
    names.push(name);
    lastAt = Date.now();
  };
  client.on('commandStarted', note);
  const settle = async (calmMs: number): Promise<void> => {
    lastAt = Date.now();
    while (Date.now() - lastAt < calmMs) await sleep(POLL_MS);
  };
  return {
    /** Waits until the effects of all operations have ended. */
    settle: () => settle(CALM_MS),
    /** Runs an operation, waits until all its effects have ended, and returns its commands. */
    count: async (operation: () => Promise<unknown>, { emits }: { emits: boolean }): Promise<CommandCounts> => {
      names = [];
      await operation();
      await settle(emits ? CALM_MS : CALM_WITHOUT_EVENTS_MS);
      if (process.env.PRINT_COUNTS) console.log(names.length, names.join(', '));
      const grouped = Map.groupBy(names, (name) => name);
      return Object.fromEntries([...grouped].map(([name, all]) => [name, all.length]));
    },
    close: async (): Promise<void> => {
      client.off('commandStarted', note);
      await Promise.all(workers.map((worker) => worker.close()));
      connection.disconnect();
    },
  };
};
