/** Observes the commands that this process sends to MongoDB. */
import mongoose from 'mongoose';
import { AccessCache } from '#shared/domain/access/access-changes.ts';
import { stopRelay } from './relay.ts';
import { waitUntil } from './wait-until.ts';

type Command = Record<string, unknown>;

const PERIODIC_UPDATES: unknown[] = ['process_heartbeats', 'webhook_receivers'];

/**
 * Whether the command is periodic: a poll of access changes (which cache entries to drop) or of instance controls (such
 * as maintenance mode), a heartbeat or a lease renewal.
 */
const isPeriodic = ({ find, update }: Command): boolean =>
  find === 'access_changes' || find === 'instance_controls' || PERIODIC_UPDATES.includes(update);

/**
 * Returns every command that this process sends while `work` runs, but periodic ones only if `includePeriodic` is
 * true. Stops the relay of this process first, because the relay can send commands at any time.
 */
export const commandsDuring = async (
  work: () => Promise<unknown>,
  { includePeriodic = false } = {},
): Promise<unknown[]> => {
  await stopRelay();
  const client = mongoose.connection.getClient();
  const commands: unknown[] = [];
  const note = ({ command }: { command: Command }) => {
    if (includePeriodic || !isPeriodic(command)) commands.push(command);
  };
  client.on('commandStarted', note);
  try {
    await work();
  } finally {
    client.off('commandStarted', note);
  }
  return commands;
};

/** Every key of a command that is a MongoDB operator (`$…`), with its value, at any depth. */
export const mongoOperatorsIn = (value: unknown): { key: string; value: unknown }[] => {
  if (value === null || typeof value !== 'object') return [];
  const entries = Object.entries(value);
  return [
    ...entries.filter(([key]) => key.startsWith('$')).map(([key, value]) => ({ key, value })),
    ...entries.flatMap(([, inner]) => mongoOperatorsIn(inner)),
  ];
};

const reads = ({ find }: Command, collection: string): boolean => find === collection;

/** A cache to use while waiting, because a process polls the access changes only while it uses a cache. */
const usedCache = new AccessCache<true>(1);

/** Resolves when this process has read all access changes that were committed before the call. */
export const waitForAccessPoll = async (): Promise<void> => {
  const client = mongoose.connection.getClient();
  let pollCount = 0;
  const note = ({ command }: { command: Command }) => void (pollCount += Number(reads(command, 'access_changes')));
  client.on('commandStarted', note);
  // Reads do not overlap, so the first read has ended when the second read starts.
  await waitUntil(async () => {
    await usedCache.getOrLoad('used', async () => ({ value: true, accessKeys: [] }));
    return pollCount >= 2;
  });
  client.off('commandStarted', note);
};
