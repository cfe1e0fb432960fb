/** Around every processor: parse, context, log; an AppError ends the job, anything else is tried again. */
import { ulid } from 'ulid';
import type { z } from 'zod';
import { withRequestId } from '#shared/context.ts';
import { AppError } from '#shared/errors.ts';
import { type JobName, jobs } from '#shared/jobs.ts';
import { logger } from '#shared/logger.ts';
import { type Envelope, FinalError, type Job } from '#shared/queue.ts';
import { processorOf } from './processors.ts';

const isJob = (name: string): name is JobName => Object.hasOwn(jobs, name);

const work = async (name: string, payload: unknown): Promise<void> => {
  if (!isJob(name)) throw new AppError(500, 'UNKNOWN_JOB', `No job ${name}`);
  const parsed = (jobs[name].payload as z.ZodType).parse(payload);
  await (await processorOf(name))(parsed);
};

/** Run one job under the request id that caused it. */
export const run = ({ name, data, attemptsMade }: Job<Envelope>): Promise<void> =>
  withRequestId(data.requestId ?? ulid(), async () => {
    const started = performance.now();
    try {
      await work(name, data.payload);
      logger.debug({ job: name, ms: Math.round(performance.now() - started) }, 'job done');
    } catch (error) {
      logger.error({ job: name, try: attemptsMade + 1, err: error }, 'job failed');
      throw error instanceof AppError ? new FinalError(error.message) : error;
    }
  });
