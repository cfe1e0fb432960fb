/** Threads that do not start. */
import { expect } from 'chai';
import { ThreadPool } from '#shared/concurrency/thread-pool.ts';
import { AppError } from '#shared/errors.ts';

/** A thread that runs, but never reports that it is ready. */
const UNREADY_THREAD = new URL('data:text/javascript,setInterval(() => undefined, 1000)');

describe('Thread pool', () => {
  it('a task whose thread does not start in time fails with an error that permits a retry, not with the timeout of the task', async () => {
    const limitError = (limit: number) => new AppError(422, 'TASK_LIMIT', `The task exceeds ${limit}`);
    const pool = new ThreadPool<string, string>({
      ...{ file: UNREADY_THREAD, threads: 1, timeoutSeconds: 1, startTimeoutSeconds: 0.1, memoryMib: 32 },
      errors: { timeout: limitError, memory: limitError, stopped: () => new Error('stopped') },
    });
    const errors = await Promise.all([1, 2].map(() => pool.run('task').catch((error: Error) => error)));
    for (const error of errors) expect(error).to.include({ message: 'The thread did not start within 0.1 s' });
    for (const error of errors) expect(error).to.not.be.instanceOf(AppError);
    await pool.close();
  });
});
