/** What reaches MongoDB, seen from the driver. */
import mongoose from 'mongoose';
import { until } from './until.ts';

type Command = Record<string, unknown>;

/** The relay follows the log and renews its turn, and changes of access are polled for, whatever is tested. */
const isOfTheClock = ({ collection, find, update, findAndModify }: Command): boolean =>
  collection === '$cmd.aggregate' || find === 'access_changes' || [find, update, findAndModify].includes('relays');

/** Every command sent while `work` runs; those that are sent by the clock only where they are asked for. */
export const commandsDuring = async (work: () => Promise<unknown>, { clockToo = false } = {}): Promise<unknown[]> => {
  const client = mongoose.connection.getClient();
  const commands: unknown[] = [];
  const note = ({ command }: { command: Command }) => {
    if (clockToo || !isOfTheClock(command)) commands.push(command);
  };
  client.on('commandStarted', note);
  try {
    await work();
  } finally {
    client.off('commandStarted', note);
  }
  return commands;
};

/** Every `{ key: value }` in a command with a key that MongoDB reads as an operator. */
export const operatorsIn = (value: unknown): { key: string; value: unknown }[] => {
  if (value === null || typeof value !== 'object') return [];
  const entries = Object.entries(value);
  return [
    ...entries.filter(([key]) => key.startsWith('$')).map(([key, value]) => ({ key, value })),
    ...entries.flatMap(([, inner]) => operatorsIn(inner)),
  ];
};

const reads = ({ find }: Command, collection: string): boolean => find === collection;

/** Resolves when this process has read all changes of access that were committed before the call. */
export const accessIsFollowed = async (): Promise<void> => {
  const client = mongoose.connection.getClient();
  let begun = 0;
  const note = ({ command }: { command: Command }) => void (begun += Number(reads(command, 'access_changes')));
  client.on('commandStarted', note);
  await until(() => begun === 2, 30); // one read at a time: the first of the two has ended
  client.off('commandStarted', note);
};
