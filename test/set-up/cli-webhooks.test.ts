/** `npm run cli -- webhooks replay` */
import { expect } from 'chai';
import { AdminAction } from '#shared/models/admin-action.ts';
import { WebhookDelivery } from '#shared/models/webhook-delivery.ts';
import { hex } from '../support/chunk-rows.ts';
import { aCliProcess } from '../support/cli.ts';

describe('npm run cli -- webhooks', () => {
  it('replay reschedules the selected deliveries that were given up, and records who replayed them', async () => {
    const { cli, close } = await aCliProcess({ QUEUE_PREFIX: hex(8) });
    const [id_project, subscription, event_id] = [hex(24), hex(24), hex(24)];
    const now = new Date();
    const delivery = (id: string, fields: object) => ({
      ...{ _id: id, id_project, subscription, event: 'message.create', event_id, sequence: 'c', position: '82' },
      ...{ receiver: '127.0.0.1:1', retryUntil: now, attemptsMade: 5, ...fields },
    });
    const [failed, delivered] = [`failed-${hex(8)}`, `delivered-${hex(8)}`];
    await WebhookDelivery.create([
      delivery(failed, { given_up: true, error: 'Gone' }),
      delivery(delivered, { deliveredAt: now }),
    ]);
    const command = `webhooks replay ${id_project} ${subscription} --failed --after 2026-01-01`;
    expect((await cli(command)).out).to.equal('Scheduled the delivery of 1 event.\n');
    const reopened = await WebhookDelivery.findOne({ id_project, _id: failed }).lean();
    expect(reopened).to.include({ attemptsMade: 0 }).and.not.have.any.keys('given_up', 'error');
    expect(reopened?.dueAt).to.be.instanceOf(Date);
    expect(await WebhookDelivery.findOne({ id_project, _id: delivered }).lean()).to.not.have.property('dueAt');
    const target = `${id_project} ${subscription} failed=true after=2026-01-01`;
    const recorded = await AdminAction.findOne({ action: 'webhooks replay', target }).lean();
    expect(recorded?.by).to.match(/^cli \S+@\S+$/);
    const unknown = await cli(`webhooks replay ${id_project} ${subscription} --delivery none`);
    expect(unknown).to.deep.include({ code: 1, error: 'Delivery not found\n' });
    await close();
    await WebhookDelivery.deleteMany({ id_project });
  });
});
