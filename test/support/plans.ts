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

/** MongoDB explains no more than one of the updates of a command. */
const oneByOne = (command: Command): Command[] =>
  Array.isArray(command.updates) ? command.updates.map((update) => ({ ...command, updates: [update] })) : [command];

/** What the collections were asked for meanwhile. */
export const queriesDuring = async (collections: string[], work: () => Promise<unknown>): Promise<Query[]> => {
  const commands = (await commandsDuring(work)) as Command[];
  return commands.flatMap((command) => {
    const kind = KINDS.find((each) => collections.includes(command[each] as string));
    return kind ? oneByOne(command).map((each) => ({ kind, command: each })) : [];
  });
};

const explain = async ({ command }: Query, verbosity: string) => {
  const bare = Object.fromEntries(Object.entries(command).filter(([key]) => !ENVELOPE.includes(key)));
  return mongoose.connection.db?.command({ explain: bare, verbosity });
};

const explained = async (query: Query): Promise<string> => {
  const plan = await explain(query, 'queryPlanner');
  return JSON.stringify(plan?.queryPlanner ?? plan?.stages);
};

const EXAMINED = /"total(?:Keys|Docs)Examined":(\d+)/g;

/** Keys and records that the database looks at for these queries. */
export const examinedBy = async (queries: Query[]): Promise<number> => {
  const plans = await Promise.all(queries.map((query) => explain(query, 'executionStats')));
  const numbers = plans.flatMap((plan) => [...JSON.stringify(plan).matchAll(EXAMINED)]);
  return numbers.reduce((sum, [, number]) => sum + Number(number), 0);
};

/** Fails for a query that walks through a whole collection. */
export const expectIndexes = async (queries: Query[]): Promise<void> => {
  for (const query of queries) {
    const plan = await explained(query);
    expect(plan, JSON.stringify(query)).to.match(/IXSCAN|IDHACK|COUNT_SCAN|DISTINCT_SCAN/);
    expect(plan, JSON.stringify(query)).to.not.include('COLLSCAN');
  }
};
