/** Commands sent to MongoDB, observed at the driver. */
import mongoose from 'mongoose';
import { stopRelay } from './relay.ts';
import { waitUntil } from './wait-until.ts';

type Command = Record<string, unknown>;

/** Commands sent periodically in every test: access changes are polled. */
const isPeriodic = ({ collection, find }: Command): boolean =>
  collection === '$cmd.aggregate' || find === 'access_changes';

/**
 * Every command sent while `work` runs; periodic ones only on request. Stops the relay of this process before, since it
 * reads and writes records of every project at any time.
 */
export const commandsDuring = async (
  work: () => Promise<unknown>,
  { clockToo: includePeriodic = false } = {},
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

/** Every `{ key: value }` in a command whose key is an operator of MongoDB. */
export const mongoOperatorsIn = (value: unknown): { key: string; value: unknown }[] => {
  if (value === null || typeof value !== 'object') return [];
  const entries = Object.entries(value);
  return [
    ...entries.filter(([key]) => key.startsWith('$')).map(([key, value]) => ({ key, value })),
    ...entries.flatMap(([, inner]) => mongoOperatorsIn(inner)),
  ];
};

const reads = ({ find }: Command, collection: string): boolean => find === collection;

/** Resolves when this process has read all changes of access that were committed before the call. */
export const waitForAccessPoll = async (): Promise<void> => {
  const client = mongoose.connection.getClient();
  let begun = 0;
  const note = ({ command }: { command: Command }) => void (begun += Number(reads(command, 'access_changes')));
  client.on('commandStarted', note);
  await waitUntil(() => begun === 2, 30); // one read at a time: the first of the two has ended
  client.off('commandStarted', note);
};
