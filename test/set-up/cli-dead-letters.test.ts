/** `npm run cli -- dead-letters replay` */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { BOT_CALL_CONSUMER } from '#shared/domain/conversations/bots/bot-call-queue.ts';
import { writeDeadLetter } from '#shared/domain/events/dead-letters.ts';
import { AdminAction } from '#shared/models/admin-action.ts';
import { BotCall } from '#shared/models/bot-call.ts';
import { aCliProcess } from '../support/cli.ts';

const hex = (digits: number): string => randomBytes(digits / 2).toString('hex');

describe('npm run cli -- dead-letters', () => {
  it('replay reschedules a bot call that was given up, and records who replayed it', async () => {
    const { cli, close } = await aCliProcess({ QUEUE_PREFIX: hex(8) });
    const [id_project, event, bot] = [hex(24), `${hex(24)}.2`, hex(24)];
    const common = { id_project, event: 'request.create', record: hex(24), position: '82' };
    const call = { _id: `${event} ${bot}`, id_project, bot, conversation: 'c', message: common.record, event };
    await BotCall.create([{ ...call, event_name: common.event, position: '82', given_up: true, attemptsMade: 5 }]);
    await writeDeadLetter(BOT_CALL_CONSUMER, { ...common, id: event }, { attemptsMade: 5, error: 'Gone' });
    const command = `dead-letters replay ${BOT_CALL_CONSUMER} ${event}`;
    expect((await cli(command)).out).to.equal(
      `The event of the dead letter ${BOT_CALL_CONSUMER} ${event} will be processed again.\n`,
    );
    const reopened = await BotCall.findOne({ id_project }).lean();
    expect(reopened).to.include({ attemptsMade: 0 }).and.not.have.property('given_up');
    expect(reopened?.dueAt).to.be.instanceOf(Date);
    const target = `${BOT_CALL_CONSUMER} ${event}`;
    const recorded = await AdminAction.findOne({ action: 'dead-letters replay', target }).lean();
    expect(recorded?.by).to.match(/^cli \S+@\S+$/);
    expect((await cli(command)).error).to.equal('Dead letter not found\n');
    await close();
    await BotCall.deleteMany({ id_project });
  });
});
