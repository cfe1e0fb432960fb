import { setTimeout as sleep } from 'node:timers/promises';
import type { JobOptions } from '#shared/job-definitions.ts';
import { type JobName, jobs, type Processor } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { measureJob } from '#shared/metrics.ts';
import { shutdownSignal } from '../shutdown.ts';

/** Returns the processor of a job. */
type ProcessorLookup = (name: JobName) => Promise<(payload: unknown) => Promise<void>>;

/** After this time, the next sweep starts even if the current one is still running. */
const MAX_WAIT_MS = 10_000;

const SWEEPS = (Object.keys(jobs) as JobName[]).filter((name) => (jobs[name] as JobOptions<unknown>).isSweep);

const running = new Set<JobName>();

/** Runs a sweep. A failure is only logged, because the next run repeats the sweep. */
const runSweep = async (name: JobName, processorOf: ProcessorLookup): Promise<void> => {
  running.add(name);
  try {
    await measureJob(name, async () => (await processorOf(name))({}));
  } catch (error) {
    logger.error({ job: name, err: error }, 'job failed');
  } finally {
    running.delete(name);
  }
};

/** Runs all sweeps. A sweep that fails or hangs does not prevent the others from running. */
const runSweepsJob =
  (processorOf: ProcessorLookup): Processor<'maintenance.run-sweeps'> =>
  async () => {
    for (const name of SWEEPS) {
      if (shutdownSignal.aborted) return;
      if (running.has(name)) continue; // it has hung since an earlier run
      const waited = new AbortController();
      const limit = sleep(MAX_WAIT_MS, undefined, { signal: waited.signal }).catch(() => undefined);
      await Promise.race([runSweep(name, processorOf), limit]);
      waited.abort();
    }
  };
export default runSweepsJob;
