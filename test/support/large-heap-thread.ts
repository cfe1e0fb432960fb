/** A thread of a pool. Each task creates a given number of objects and returns the size of the heap afterwards. */
import { getHeapStatistics } from 'node:v8';
import { serveTasks } from '#shared/concurrency/thread-tasks.ts';

const createObjects = (count: number): number => {
  const objects = Array.from({ length: count }, (_, index) => ({ index, text: `object ${index}` }));
  return objects.length && getHeapStatistics().total_heap_size;
};

serveTasks(createObjects, { failureCode: 'FAILED' });
