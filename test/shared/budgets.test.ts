import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { spend, spendByHour, spendInBatch } from '#shared/budgets/budgets.ts';
import { newId } from '#shared/context.ts';
import { Budget } from '#shared/models/budget.ts';
import { anApi } from '../support/api.ts';

const DAY_SECONDS = 86_400;

describe('Budgets', () => {
  before(anApi);

  const aBudget = () => ({ id_project: newId(), name: randomUUID(), seconds: DAY_SECONDS });

  it('concurrent calls to spendInBatch return the same sums as consecutive calls', async () => {
    const [one, other] = [aBudget(), aBudget()];
    await spend(one, 5);
    const sums = await Promise.all([
      spendInBatch(one, 1),
      spendInBatch(other, 10),
      spendInBatch(one, 2),
      spendInBatch(one, -1),
    ]);
    expect(sums).to.deep.equal([6, 10, 8, 7]);
    expect(await spendInBatch(one, 1)).to.equal(8);
  });

  it('concurrent calls to spendByHour return the sums for the hour and for the day', async () => {
    const { id_project, name } = aBudget();
    await spend({ id_project, name, seconds: DAY_SECONDS }, 100); // counts towards the day only
    const sums = await Promise.all([1, 2].map((amount) => spendByHour(id_project, name, amount)));
    expect(sums).to.deep.equal([
      { hour: 1, day: 101 },
      { hour: 3, day: 103 },
    ]);
    expect(await Budget.countDocuments({ id_project, name })).to.equal(1);
  });

  it('a concurrent refund for the day alone does not change the sums for the hour that spendByHour returns', async () => {
    const { id_project, name, seconds } = aBudget();
    const sums = await Promise.all([
      spendByHour(id_project, name, 1),
      spendInBatch({ id_project, name, seconds }, -1),
      spendByHour(id_project, name, 2),
    ]);
    expect(sums).to.deep.equal([{ hour: 1, day: 1 }, 0, { hour: 3, day: 2 }]);
  });
});
