/** What reaches MongoDB, seen from the driver. */
import mongoose from 'mongoose';

/** Every command sent while `work` runs. */
export const commandsDuring = async (work: () => Promise<unknown>): Promise<unknown[]> => {
  const client = mongoose.connection.getClient();
  const commands: unknown[] = [];
  const note = ({ command }: { command: unknown }) => void commands.push(command);
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
