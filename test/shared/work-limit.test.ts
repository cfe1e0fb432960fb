/** The limit on the calls that run at the same time. F16 is a failure described in docs/failures.md. */
import { expect } from 'chai';
import { times } from '../support/fleet-fixture.ts';
import { createWorkLimit } from '#shared/concurrency/work-limit.ts';

const LIMIT = 5;

describe('Limit on calls that run at the same time', () => {
  it('F16: calls of a project beyond its limit are refused immediately (503), and calls of another project are not', async () => {
    const { run: limitWork, isReached } = createWorkLimit(LIMIT);
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const started: string[] = [];
    const call = (holder: string) =>
      limitWork(holder, async () => {
        started.push(holder);
        await opened;
      });
    const busy = times(LIMIT * 2, () => call('one').catch((error: unknown) => error));
    const refusals = await Promise.all(busy.slice(LIMIT));
    for (const refusal of refusals) {
      expect(refusal).to.include({ status: 503, code: 'OVERLOADED' });
      expect(refusal).to.have.nested.property('headers.Retry-After', '1');
    }
    expect([isReached('one'), isReached('other')]).to.deep.equal([true, false]);
    const other = call('other');
    expect(started).to.deep.equal([...times(LIMIT, () => 'one'), 'other']);
    open();
    await Promise.all([...busy, other]);
  });

  it('a call that ends, even with an error, makes room for another one', async () => {
    const { run: limitWork } = createWorkLimit(1);
    const failed = await limitWork('one', () => Promise.reject(new Error('failed'))).catch(
      ({ message }: Error) => message,
    );
    expect(failed).to.equal('failed');
    expect(await limitWork('one', async () => 'done')).to.equal('done');
  });
});
