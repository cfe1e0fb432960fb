import { expect } from 'chai';
import { batchCalls } from '#shared/concurrency/batch-calls.ts';

const WINDOW_MS = 5;

describe('Batched calls', () => {
  it('batchCalls passes the items of calls within one time window to its function together, and each call gets its own result', async () => {
    const runs: number[][] = [];
    const double = batchCalls(async (items: number[]) => {
      runs.push(items);
      return items.map((item) => item * 2);
    }, WINDOW_MS);
    expect(await Promise.all([double(1), double(2)])).to.deep.equal([2, 4]);
    expect(await double(3)).to.equal(6);
    expect(runs).to.deep.equal([[1, 2], [3]]);
  });

  it('batchCalls calls its function again for a call that is made while the function is running', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const count = batchCalls(async (items: string[]) => {
      runs += 1;
      const own = runs;
      if (own === 1) await promise;
      return items.map(() => own);
    }, WINDOW_MS);
    const first = count('a');
    while (!runs) await new Promise(setImmediate);
    expect(await count('b')).to.equal(2);
    resolve();
    expect(await first).to.equal(1);
  });

  it('if the function given to batchCalls fails, the calls whose items it received fail, but later calls do not', async () => {
    let isFailing = true;
    const read = batchCalls(async (items: string[]) => {
      if (isFailing) throw new Error('away');
      return items;
    }, WINDOW_MS);
    const results = await Promise.allSettled([read('a'), read('b')]);
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    isFailing = false;
    expect(await read('c')).to.equal('c');
  });
});
