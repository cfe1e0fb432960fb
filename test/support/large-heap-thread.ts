/** A thread of a pool whose tasks create as many objects as they are told, and return the size of the heap then. */
import { getHeapStatistics } from 'node:v8';
import { serveTasks } from '#shared/concurrency/thread-tasks.ts';

const createObjects = (count: number): number => {
  const objects = Array.from({ length: count }, (_, index) => ({ index, text: `object ${index}` }));
  return objects.length && getHeapStatistics().total_heap_size;
};

serveTasks(createObjects, { failureCode: 'FAILED' });
