import { Redis } from 'ioredis';
import { expect } from 'chai';
import { mongo } from 'mongoose';
import { classifyFailure, nextAttemptTime } from '../../workers/indexing/classify-failure.ts';
import { aFreePort } from '../support/dedicated-database.ts';

/** The error from a Redis command when no server is listening. */
const aRedisError = async (): Promise<unknown> => {
  const redis = new Redis(await aFreePort(), '127.0.0.1', { maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  return redis.get('key').then(
    () => undefined,
    (error: unknown) => error,
  );
};

describe('classifyFailure', () => {
  it('a content whose attempts fail because Redis or MongoDB is unavailable is tried again until the server is available', async () => {
    const errors = [await aRedisError(), new mongo.MongoNetworkError('connection 1 closed')];
    for (const error of errors) {
      const failure = classifyFailure(error);
      expect(failure).to.include({ kind: 'outage', code: 'UNAVAILABLE' });
      expect(nextAttemptTime({ kind: 'outage', retryAfterMs: failure.retryAfterMs }, 100)).to.be.instanceOf(Date);
    }
  });

  it('a content whose attempts fail with an unknown error fails after the fourth attempt', () => {
    const { code, kind, retryAfterMs } = classifyFailure(new TypeError('x is not a function'));
    expect({ code, kind }).to.deep.equal({ code: 'INTERNAL', kind: 'unexpected' });
    expect(nextAttemptTime({ kind: 'unexpected', retryAfterMs }, 2)).to.be.instanceOf(Date);
    expect(nextAttemptTime({ kind: 'unexpected', retryAfterMs }, 3)).to.equal(undefined);
  });
});
