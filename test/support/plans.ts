/** How the database finds what it is asked for. */
import { expect } from 'chai';
import mongoose from 'mongoose';
import { commandsDuring } from './commands.ts';

type Command = Record<string, unknown>;

const KINDS = ['find', 'aggregate', 'update', 'findAndModify', 'count', 'distinct'];
const ENVELOPE = [
  'lsid',
  'txnNumber',
  'startTransaction',
  'autocommit',
  '$db',
  '$clusterTime',
  'readConcern',
  'writeConcern',
];

/** A command that looks for records. */
interface Query {
  kind: string;
  command: Command;
}

/** What the collections were asked for meanwhile. */
export const queriesDuring = async (collections: string[], work: () => Promise<unknown>): Promise<Query[]> => {
  const commands = (await commandsDuring(work)) as Command[];
  return commands.flatMap((command) => {
    const kind = KINDS.find((each) => collections.includes(command[each] as string));
    return kind ? [{ kind, command }] : [];
  });
};

const explained = async ({ command }: Query): Promise<string> => {
  const bare = Object.fromEntries(Object.entries(command).filter(([key]) => !ENVELOPE.includes(key)));
  const plan = await mongoose.connection.db?.command({ explain: bare, verbosity: 'queryPlanner' });
  return JSON.stringify(plan?.queryPlanner ?? plan?.stages);
};

/** Fails for a query that walks through a whole collection. */
export const expectIndexes = async (queries: Query[]): Promise<void> => {
  for (const query of queries) {
    const plan = await explained(query);
    expect(plan, JSON.stringify(query)).to.match(/IXSCAN|IDHACK|COUNT_SCAN/);
    expect(plan, JSON.stringify(query)).to.not.include('COLLSCAN');
  }
};
