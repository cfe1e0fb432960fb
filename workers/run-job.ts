/**
 * Runs a job: validates the payload, sets the correlation id and logs the result. An AppError fails the job without
 * another attempt; after any other error, the job is retried if it has attempts left (see `attempts` in jobs.ts).
 */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { withCorrelationId } from '#shared/context.ts';
import { AppError } from '#shared/errors.ts';
import { type JobName, jobs } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { measureJob } from '#shared/metrics.ts';
import { createFinalError, type Job, type JobEnvelope } from '#shared/queue/queue.ts';
import { inSpan } from '#shared/tracing.ts';
import { processorOf } from './processors.ts';
import { trackJob } from './running-jobs.ts';

const isJob = (name: string): name is JobName => Object.hasOwn(jobs, name);

const runProcessor = async (name: string, payload: unknown): Promise<void> => {
  if (!isJob(name)) throw new AppError(500, 'UNKNOWN_JOB', `Unknown job ${name}; add it to shared/jobs.ts`);
  const parsed = (jobs[name].payload as z.ZodType).parse(payload);
  await (await processorOf(name))(parsed);
};

/** Runs one job under the correlation id of the call that enqueued it. */
export const runJob = ({ name, data, attemptsMade }: Job<JobEnvelope>): Promise<void> =>
  withCorrelationId(data.correlationId ?? randomUUID(), async () => {
    const started = performance.now();
    const endJob = trackJob(name, data.payload);
    try {
      const span = { name: `job ${name}`, kind: 'consumer', parent: data.traceparent } as const;
      await measureJob(isJob(name) ? name : 'unknown', () => inSpan(span, () => runProcessor(name, data.payload)));
      logger.debug({ job: name, ms: Math.round(performance.now() - started) }, 'job done');
    } catch (error) {
      logger.error({ job: name, try: attemptsMade + 1, err: error }, 'job failed');
      throw error instanceof AppError ? createFinalError(error.message) : error;
    } finally {
      endJob();
    }
  });
