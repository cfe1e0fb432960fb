/** What reaches MongoDB, seen from the driver. */
import mongoose from 'mongoose';

type Command = Record<string, unknown>;

/** The relay follows the log and renews its turn, and changes of access are polled for, whatever is tested. */
const isOfTheClock = ({ collection, find, update, findAndModify }: Command): boolean =>
  collection === '$cmd.aggregate' || find === 'access_changes' || [find, update, findAndModify].includes('relays');

/** Every command sent while `work` runs, but for those that are sent by the clock. */
export const commandsDuring = async (work: () => Promise<unknown>): Promise<unknown[]> => {
  const client = mongoose.connection.getClient();
  const commands: unknown[] = [];
  const note = ({ command }: { command: Command }) => {
    if (!isOfTheClock(command)) commands.push(command);
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
