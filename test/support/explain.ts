/** Query plans of MongoDB. */
import { expect } from 'chai';
import mongoose from 'mongoose';
import { commandsDuring } from './mongo-commands.ts';

type Command = Record<string, unknown>;

const COMMAND_KINDS = ['find', 'aggregate', 'update', 'findAndModify', 'count', 'distinct'];
const ENVELOPE_FIELDS = [
  'lsid',
  'txnNumber',
  'startTransaction',
  'autocommit',
  '$db',
  '$clusterTime',
  'readConcern',
  'writeConcern',
];

/** A command with a query, and its name. */
interface MongoQuery {
  kind: string;
  command: Command;
}

/** Splits a command into one command for each update, because MongoDB can explain only one update at a time. */
const splitUpdates = (command: Command): Command[] =>
  Array.isArray(command.updates) ? command.updates.map((update) => ({ ...command, updates: [update] })) : [command];

/** The queries that `work` sends to these collections. */
export const queriesDuring = async (collections: string[], work: () => Promise<unknown>): Promise<MongoQuery[]> => {
  const commands = (await commandsDuring(work)) as Command[];
  return commands.flatMap((command) => {
    const kind = COMMAND_KINDS.find((each) => collections.includes(command[each] as string));
    return kind ? splitUpdates(command).map((each) => ({ kind, command: each })) : [];
  });
};

const explain = async ({ command }: MongoQuery, verbosity: string) => {
  const bare = Object.fromEntries(Object.entries(command).filter(([key]) => !ENVELOPE_FIELDS.includes(key)));
  return mongoose.connection.db?.command({ explain: bare, verbosity });
};

const queryPlan = async (query: MongoQuery): Promise<string> => {
  const plan = await explain(query, 'queryPlanner');
  return JSON.stringify(plan?.queryPlanner ?? plan?.stages);
};

const EXAMINED_COUNTS = /"total(?:Keys|Docs)Examined":(\d+)/g;

/** The number of keys and records examined by these queries. */
export const countExamined = async (queries: MongoQuery[]): Promise<number> => {
  const plans = await Promise.all(queries.map((query) => explain(query, 'executionStats')));
  const numbers = plans.flatMap((plan) => [...JSON.stringify(plan).matchAll(EXAMINED_COUNTS)]);
  return numbers.reduce((sum, [, number]) => sum + Number(number), 0);
};

/** The number of records that these queries return. */
export const countReturned = async (queries: MongoQuery[]): Promise<number> => {
  const plans = await Promise.all(queries.map((query) => explain(query, 'executionStats')));
  return plans.reduce((sum, plan) => sum + Number(plan?.executionStats?.nReturned), 0);
};

/** Fails if a query uses no index, or scans a whole collection. */
export const expectIndexes = async (queries: MongoQuery[]): Promise<void> => {
  for (const query of queries) {
    const plan = await queryPlan(query);
    expect(plan, JSON.stringify(query)).to.match(/IXSCAN|IDHACK|COUNT_SCAN|DISTINCT_SCAN/);
    expect(plan, JSON.stringify(query)).to.not.include('COLLSCAN');
  }
};
