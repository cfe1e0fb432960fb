/** `npm run cli -- dead-letters replay` */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { BOT_CALL_CONSUMER } from '#shared/domain/conversations/bots/bot-call-queue.ts';
import { writeDeadLetter } from '#shared/domain/events/dead-letters.ts';
import { BotCall } from '#shared/models/bot-call.ts';

const run = promisify(execFile);
const hex = (digits: number): string => randomBytes(digits / 2).toString('hex');

const cli = (...words: string[]) =>
  run(process.execPath, ['scripts/cli.ts', 'dead-letters', ...words], {
    env: { ...process.env, QUEUE_PREFIX: hex(8) },
  });

describe('npm run cli -- dead-letters', () => {
  it('replay makes a call to a bot again that was given up', async () => {
    const [id_project, event, bot] = [hex(24), `${hex(24)}.2`, hex(24)];
    const common = { id_project, event: 'request.create', record: hex(24), position: '82' };
    const call = { _id: `${event} ${bot}`, id_project, bot, conversation: 'c', message: common.record, event };
    await BotCall.create([{ ...call, event_name: common.event, position: '82', given_up: true, attemptsMade: 5 }]);
    await writeDeadLetter(BOT_CALL_CONSUMER, { ...common, id: event }, { attemptsMade: 5, error: 'Gone' });
    const { stdout } = await cli('replay', BOT_CALL_CONSUMER, event);
    expect(stdout).to.equal(`The event of ${BOT_CALL_CONSUMER} ${event} will be processed again.\n`);
    const reopened = await BotCall.findOne({ id_project }).lean();
    expect(reopened).to.include({ attemptsMade: 0 }).and.not.have.property('given_up');
    expect(reopened?.dueAt).to.be.instanceOf(Date);
    const failure = await cli('replay', BOT_CALL_CONSUMER, event).catch((error: { stderr: string }) => error);
    expect(failure.stderr).to.equal('Dead letter not found\n');
    await BotCall.deleteMany({ id_project });
  });
});
