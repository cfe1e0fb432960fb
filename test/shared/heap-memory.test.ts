import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { createIdleRelease, type ProcessUsage } from '#shared/heap-memory.ts';
import { waitUntil } from '../support/wait-until.ts';

const MB = 1e6;
const LARGE_HEAP_BYTES = 96 * MB;
const RELEASED_BYTES = 100 * MB;

/** Checks these memory and CPU usages in turn. Returns how many times memory had been released after each check. */
const releasesAfter = (checks: Partial<ProcessUsage>[]): number[] => {
  let releases = 0;
  const check = createIdleRelease(() => {
    releases += 1;
    return RELEASED_BYTES;
  });
  return checks.map((usage) => {
    check({ busyShare: 0, residentBytes: 200 * MB, heapBytes: 60 * MB, ...usage });
    return releases;
  });
};

describe('Memory of an idle process', () => {
  it('is released once when the process becomes idle, and again only if ten minutes have passed and it has grown', () => {
    const same = { residentBytes: RELEASED_BYTES + MB };
    expect(releasesAfter([{}, {}, {}, same])).to.deep.equal([0, 1, 1, 1]);
    const tenMinutes = Array.from({ length: 60 }, () => ({}));
    expect(releasesAfter([{}, {}, ...tenMinutes]).at(-1)).to.equal(1);
    expect(releasesAfter([{}, {}, ...tenMinutes, same]).at(-1)).to.equal(1);
    expect(releasesAfter([{}, {}, ...tenMinutes, {}]).at(-1)).to.equal(2);
  });

  it('is not released while the process is busy', () => {
    const busy = { busyShare: 0.5 };
    expect(releasesAfter([busy, busy, {}, busy, {}, {}])).to.deep.equal([0, 0, 0, 0, 0, 1]);
  });

  it('is not released if the heap is large, because the release would block the process for a long time', () => {
    const large = { heapBytes: 400 * MB };
    expect(releasesAfter([large, large, large])).to.deep.equal([0, 0, 0]);
  });
});

describe('Heap of a thread for untrusted input', () => {
  it('is reduced after a task that needed a lot of memory', async () => {
    const thread = new Worker(new URL('../support/large-heap-thread.ts', import.meta.url));
    try {
      await once(thread, 'message'); // the thread is ready
      thread.postMessage(1_500_000);
      const [{ value: heapDuringTask }] = await once(thread, 'message');
      expect(heapDuringTask).to.be.greaterThan(LARGE_HEAP_BYTES);
      await waitUntil(async () => (await thread.getHeapStatistics()).total_heap_size < LARGE_HEAP_BYTES);
    } finally {
      await thread.terminate();
    }
  });
});
