import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { aCommandCounter, type CommandCounts, totalOf } from '../support/command-counter.ts';
import { type CountedOperation, countedOperations } from '../support/counted-operations.ts';

/** A slow machine can make the relay read one operation in two batches, so the smallest of several counts applies. */
const MAX_ATTEMPTS = 4;
const ROW = /^\| ([^|]+?) \| (\d+) \|/gm;

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

  const countOnce = async ({ prepare, emits = true }: CountedOperation): Promise<CommandCounts> => {
    const operation = await prepare();
    if (emits) await counter.settle();
    return counter.count(operation, { emits });
  };

  /** Counts until the number is at most `max`. */
  const smallestCount = async (operation: CountedOperation, max: number): Promise<CommandCounts> => {
    let smallest = await countOnce(operation);
    for (let attempt = 1; attempt < MAX_ATTEMPTS && totalOf(smallest) > max; attempt += 1) {
      const counts = await countOnce(operation);
      if (totalOf(counts) < totalOf(smallest)) smallest = counts;
    }
    return smallest;
  };

  it('no operation sends more commands to MongoDB than docs/performance.md lists', async () => {
    const documented = await documentedCounts();
    const tooMany: Record<string, unknown> = {};
    for (const operation of operations) {
      const max = documented.get(operation.name) ?? -1;
      const counts = await smallestCount(operation, max);
      if (totalOf(counts) > max) tooMany[operation.name] = { max, total: totalOf(counts), counts };
    }
    expect(tooMany).to.deep.equal({});
  });
});
