/** Jobs of other versions (F22: docs/failures.md): during an upgrade, old and new processes share the queues. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { z } from 'zod';
import { type JobName, jobs } from '#shared/jobs.ts';
import type { Job, JobEnvelope } from '#shared/queue/queue.ts';
import { runJob } from '../../workers/run-job.ts';
import { sampleOf } from '../support/schema-samples.ts';
import { schemaOf } from '../support/valid-call.ts';

/** A job of every kind, by its name, as the code of commit f3ecfaa3 enqueued it. The ids belong to no record. */
const EARLIER_JOBS = new URL('../data/earlier-jobs.json', import.meta.url);

const payloadOf = (name: JobName) => jobs[name].payload as z.ZodType<Record<string, unknown>>;

describe('Jobs of other versions', () => {
  it('F22: every job accepts a payload with a field that a later version has added, and drops the field', () => {
    for (const name of Object.keys(jobs) as JobName[]) {
      const payload = sampleOf(schemaOf(payloadOf(name))) as object;
      expect(payloadOf(name).parse({ ...payload, addedLater: 1 }), name).to.deep.equal(payloadOf(name).parse(payload));
    }
  });

  it('F22: a job with a name that only another version knows fails with the reason, and is not attempted again', async () => {
    const job = { name: 'kb.added-later', data: { payload: {} }, attemptsMade: 0 } as unknown as Job<JobEnvelope>;
    const error = await runJob(job).catch((reason: Error) => reason);
    expect(error).to.have.property('name', 'UnrecoverableError');
    expect(error).to.have.property('message').that.includes('Unknown job kb.added-later');
  });

  it('F22: every job that an earlier version has enqueued is run without an error', async () => {
    const earlier = JSON.parse(await readFile(EARLIER_JOBS, 'utf8')) as Record<string, object>;
    for (const [name, payload] of Object.entries(earlier))
      await runJob({ name, data: { payload }, attemptsMade: 0 } as unknown as Job<JobEnvelope>);
  });
});
