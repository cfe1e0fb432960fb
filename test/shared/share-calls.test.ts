import { setImmediate as endOfTick } from 'node:timers/promises';
import { expect } from 'chai';
import { shareCalls } from '#shared/concurrency/share-calls.ts';

describe('Shared calls', () => {
  it('calls made in one tick share the result of one call per key', async () => {
    const keys: string[] = [];
    const read = shareCalls(async (key: string) => keys.push(key));
    expect(await Promise.all([read('a'), read('b'), read('a')])).to.deep.equal([1, 2, 1]);
    expect(keys).to.deep.equal(['a', 'b']);
  });

  it('a call that is made in a later tick, while another one is running, gets a result of its own', async () => {
    const { promise: end, resolve } = Promise.withResolvers<void>();
    let count = 0;
    const read = shareCalls(async () => {
      count += 1;
      const result = count;
      await end;
      return result;
    });
    const first = read('a');
    await endOfTick();
    const second = read('a');
    resolve();
    expect(await Promise.all([first, second])).to.deep.equal([1, 2]);
  });

  it('an error reaches each of the calls that share it, and the next call does not share it', async () => {
    let count = 0;
    const read = shareCalls(async () => {
      count += 1;
      if (count === 1) throw new Error('not readable');
      return count;
    });
    const results = await Promise.allSettled([read('a'), read('a')]);
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await read('a')).to.equal(2);
  });
});
