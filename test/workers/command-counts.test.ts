import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { aCommandCounter, type CommandCounts, totalOf } from '../support/command-counter.ts';
import { type CountedOperation, countedOperations } from '../support/counted-operations.ts';

/** On a slow machine, the relay may read the writes of an operation in two batches, so the smallest count applies. */
const MAX_ATTEMPTS = 4;
const ROW = /^\| ([^|]+?) \| (\d+) \|/gm;

type PreparedCall = Awaited<ReturnType<CountedOperation['prepare']>>;

const documentedCounts = async (): Promise<Map<string, number>> => {
  const page = await readFile(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  return new Map([...page.matchAll(ROW)].map(([, name = '', count]) => [name, Number(count)]));
};

describe('Commands per operation', function commandsPerOperation() {
  this.timeout(240_000);
  let counter: Awaited<ReturnType<typeof aCommandCounter>>;
  let operations: CountedOperation[];

  before(async () => {
    counter = await aCommandCounter();
    operations = await countedOperations();
    await counter.settle();
  });
  after(() => counter.close());

  const countAgain = async ({ prepare, emits = true }: CountedOperation): Promise<CommandCounts> => {
    const call = await prepare();
    if (emits) await counter.settle();
    return counter.count(call, { emits });
  };

  /** Counts the commands of the prepared call. While they exceed `max`, prepares a new call and counts again. */
  const smallestCount = async (
    { operation, call }: { operation: CountedOperation; call: PreparedCall },
    max: number,
  ): Promise<CommandCounts> => {
    let smallest = await counter.count(call, { emits: operation.emits ?? true });
    for (let attempt = 1; attempt < MAX_ATTEMPTS && totalOf(smallest) > max; attempt += 1) {
      const counts = await countAgain(operation);
      if (totalOf(counts) < totalOf(smallest)) smallest = counts;
    }
    return smallest;
  };

  /** Prepares a call of every operation before the first count, and waits once until all their effects end. */
  const prepareAll = async () => {
    const prepared: { operation: CountedOperation; call: PreparedCall }[] = [];
    for (const operation of operations) prepared.push({ operation, call: await operation.prepare() });
    await counter.settle();
    return prepared;
  };

  it('no operation sends more commands to MongoDB than docs/performance.md lists', async () => {
    const documented = await documentedCounts();
    const tooMany: Record<string, unknown> = {};
    for (const each of await prepareAll()) {
      const { name } = each.operation;
      const max = documented.get(name) ?? -1;
      const counts = await smallestCount(each, max);
      if (totalOf(counts) > max) tooMany[name] = { max, total: totalOf(counts), counts };
    }
    expect(tooMany).to.deep.equal({});
  });
});
