/** The quota charges of a call after the call succeeds, is rejected or fails. */
import { expect } from 'chai';
import { AppError } from '#shared/errors.ts';
import { newId } from '#shared/context.ts';
import { quotaEvents, withQuota } from '#shared/domain/quotas/charge.ts';
import { invalidLimits, limitsOf, periodOf, planOf } from '#shared/domain/quotas/plan.ts';
import { readUsage } from '#shared/domain/quotas/usage.ts';

const aPlan = (quotes: object) =>
  planOf(newId(), { _id: '', name: 'Shop', profile: { quotes }, createdAt: new Date() });

const usedOf = async (plan: ReturnType<typeof aPlan>) => (await readUsage(plan, periodOf(plan)))?.used;

describe('withQuota', () => {
  it('a quota is charged once per call, and a quota without a limit is never charged', async () => {
    const plan = aPlan({ requests: 3, messages: 3 });
    await withQuota(async (charge) => {
      await charge.add(plan, { messages: 1, email: 1 });
      await charge.add(plan, { requests: 1, messages: 1 });
    });
    expect(await usedOf(plan)).to.deep.equal({ requests: 1, messages: 1 });
    expect([quotaEvents(plan, 'email'), quotaEvents(plan, 'messages')]).to.deep.equal([
      [],
      [['message.create.quote', { project: plan.project }]],
    ]);
  });

  it('the charge of a rejected call is refunded; after an unexpected error, the charge stays, because the writes may have been stored', async () => {
    const plan = aPlan({ requests: 9, messages: 9 });
    const failWith = (error: Error) =>
      withQuota(async (charge) => {
        await charge.add(plan, { requests: 1 });
        throw error;
      });
    const refused = new AppError(422, 'INVALID', 'text: is required');
    const thrown = await failWith(refused).catch((error: unknown) => error);
    expect(thrown).to.equal(refused);
    expect(await usedOf(plan)).to.deep.equal({ requests: 0 });
    await failWith(new Error('connection closed')).catch(() => undefined);
    expect(await usedOf(plan)).to.deep.equal({ requests: 1 });
  });

  it('a part of a charge can be refunded, and is not refunded again when the call is rejected', async () => {
    const plan = aPlan({ requests: 9, messages: 9 });
    await withQuota(async (charge) => {
      await charge.add(plan, { requests: 1, messages: 5 });
      await charge.refund({ requests: 1, messages: 2 });
      await charge.refund({ requests: 1, email: 1 });
      throw new AppError(422, 'INVALID', 'text: is required');
    }).catch(() => undefined);
    expect(await usedOf(plan)).to.deep.equal({ requests: 0, messages: 0 });
  });

  it('if one of two limits is reached, neither quota is charged', async () => {
    const plan = aPlan({ requests: 5, messages: 0 });
    const error = await withQuota((charge) => charge.add(plan, { requests: 1, messages: 1 })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.include({ status: 403, code: 'PLAN_LIMIT' }).and.have.nested.property('body.plan_limit', 0);
    expect(await usedOf(plan)).to.deep.equal({ requests: 0, messages: 0 });
  });

  it('a limit is a number of at least 0, or such a number as a string; all other values except null are invalid, and limits of unknown types are ignored', () => {
    const quotes = { requests: 0, messages: '5', email: -1, tokens: 'x', kbs: null, namespace: Number.NaN, users: {} };
    expect(limitsOf({ quotes })).to.deep.equal({ requests: 0, messages: 5 });
    expect(invalidLimits({ quotes })).to.deep.equal(['email', 'tokens', 'namespace']);
    expect([limitsOf({}), limitsOf({ quotes: 'all' }), invalidLimits({ quotes: null })]).to.deep.equal([{}, {}, []]);
  });
});
