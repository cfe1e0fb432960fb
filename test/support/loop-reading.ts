/** The result of loop-watch.ts, and its socket. Unlike that module, this one starts no measurement when imported. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory in MB: at the start of the measurement, at its peak, and at the end after a garbage collection. */
type MemoryGrowth = { before: number; peak: number; after: number };

/** What was measured; times are in milliseconds. */
export type LoopReading = {
  /** Event loop delay by the clock: the 99.9th percentile, the maximum, and the number of samples. */
  delay: { p999: number; longest: number; samples: number };
  /** The same in processor time of the main thread: the delay that the process causes, however busy the machine is. */
  cpuDelay: { p999: number; longest: number; samples: number };
  /** Memory of the main thread: its heap, and buffers and other memory that objects on this heap hold. */
  own: MemoryGrowth;
  /** Memory of the whole process, including the thread that parses web pages, files and sitemaps. */
  whole: MemoryGrowth;
  /** Load of the machine over the last minute. */
  load: number;
};

/** The socket of a measured process. */
export const socketOf = (pid: number): string => join(tmpdir(), `loop-watch-${pid}.sock`);
