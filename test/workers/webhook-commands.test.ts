/** The number of database commands that deliveries need. */
import { expect } from 'chai';
import { WebhookAttempt } from '#shared/models/webhook-attempt.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { countExamined, expectIndexes, queriesDuring } from '../support/explain.ts';
import { times } from '../support/fleet-fixture.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aBacklog } from '../support/webhook-backlogs.ts';

const CONVERSATIONS = 20;
const COMPLETED = 300;

describe('The database commands of deliveries', () => {
  // Without batches, 200 deliveries would need more than 400 commands. The maximum allows for smaller batches on a slow
  // machine.
  for (const [count, max] of [
    [200, 100],
    [1, 10],
  ] as const)
    it(`with a backlog of ${count}, deliveries need at most ${max} commands and are in order per conversation, and each attempt is logged`, async () => {
      const { id_project, deliver, calls, connections } = await aBacklog(times(count, (n) => n % CONVERSATIONS));
      const commands = await commandsDuring(deliver);
      expect(calls).to.have.length(count);
      for (const [conversation, own] of Map.groupBy(calls, ({ body }) => body.payload.conversation)) {
        const numbers = own.map(({ body }) => body.payload.n as number);
        expect(numbers, `conversation ${conversation}`).to.deep.equal(numbers.toSorted((a, b) => a - b));
      }
      expect(await WebhookAttempt.countDocuments({ id_project, status: 200 })).to.equal(count);
      expect(await WebhookDelivery.countDocuments({ id_project, deliveredAt: { $exists: true } })).to.equal(count);
      expect(commands.length).to.be.at.most(max);
      expect(connections.count, 'connections are reused').to.be.at.most(Math.max(1, count / 4));
    });

  it('the queries for due deliveries examine no completed deliveries', async () => {
    const { id_project, subscription, deliver } = await aBacklog([0]);
    const { dueAt: _, ...completed } = await WebhookDelivery.findOne({ id_project }).orFail().lean();
    await WebhookDelivery.insertMany(
      times(COMPLETED, (n) => ({ ...completed, _id: `${subscription} completed ${n}`, position: '0' })),
    );
    const queries = await queriesDuring(['webhook_deliveries'], deliver);
    expect(queries.length).to.be.greaterThan(3);
    await expectIndexes(queries);
    const examined = await countExamined(queries);
    const { deletedCount } = await WebhookDelivery.deleteMany({ id_project, position: '0' });
    expect(deletedCount).to.equal(COMPLETED);
    expect(await countExamined(queries)).to.equal(examined);
  });
});
