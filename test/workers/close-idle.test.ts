/** Periodic jobs close conversations without activity. */
import { expect } from 'chai';
import { runExclusive } from '#shared/concurrency/keyed-mutex.ts';
import { lockKey } from '#shared/domain/conversations/conversation.ts';
import { closeIdle } from '#shared/domain/conversations/lifecycle/close-idle.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { processorOf } from '../../workers/processors.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { expectIndexes, queriesDuring } from '../support/explain.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

const DAY_MS = 86_400_000;
/** More days without a change than conversations of other test files have, so that `closeIdle` closes these first. */
const OLD_DAYS = 7300;

/** Conversations of one visitor, each last changed the given number of days ago. */
const makeIdle = async (days: number[], more: object = {}) => {
  const { project, guest, owner } = await aProject();
  const root = `/v3/${project.id}/requests`;
  for (const [index, age] of days.entries()) {
    await api(guest).post(`${root}/c${index}/messages`, { text: 'Hi', ...more });
    const updatedAt = new Date(Date.now() - age * DAY_MS);
    await Conversation.updateOne(
      { id_project: project.id, request_id: `c${index}` },
      { updatedAt },
      { timestamps: false },
    );
  }
  const closedIds = async (): Promise<string[]> => {
    const closed = await Conversation.find({ id_project: project.id, status: 1000 }).sort({ ticket_id: 1 }).lean();
    return closed.map(({ request_id }) => request_id);
  };
  return { project, owner, root, closed: closedIds };
};

describe('Closing idle conversations', () => {
  it('idle conversations with bots are closed without an email after two days, and those without bots only if configured', async () => {
    const { project, owner, root, closed } = await makeIdle([OLD_DAYS, 1], { participants: ['bot_1'] });
    const people = await makeIdle([OLD_DAYS]);
    for (const job of ['maintenance.close-idle-bots', 'maintenance.close-idle-agents'] as const)
      await (await processorOf(job))({});
    expect(await closed()).to.deep.equal(['c0']);
    expect(await people.closed()).to.deep.equal([]);
    const { body } = await api(owner).get(`${root}/c0`);
    expect(body).to.include({ closed_by: '_bot_unresponsive', status: 1000 }).and.include.keys('duration');
    const closeEvent = (await relayedChanges(project.id)).find(({ event }) => event === 'request.close.extended');
    expect(closeEvent?.payload).to.include({ notify: false });
    await closeIdle({ hasBot: false, seconds: ((OLD_DAYS - 1) * DAY_MS) / 1000 });
    expect(await people.closed()).to.deep.equal(['c0']);
  });

  it('closeIdle closes at most ten idle conversations, the longest idle first and never one whose workingStatus is pending, and uses an index', async () => {
    const minDays = 3650;
    const { project, closed } = await makeIdle(
      times(12, (index) => minDays + 12 - index),
      { participants: ['bot_1'] },
    );
    await Conversation.updateOne(
      { id_project: project.id, request_id: 'c3' },
      { workingStatus: 'pending' },
      { timestamps: false },
    );
    const close = () => closeIdle({ hasBot: true, seconds: (minDays * DAY_MS) / 1000 });
    const queries = await queriesDuring(['requests'], close);
    expect(await closed()).to.deep.equal(times(11, (index) => `c${index}`).filter((id) => id !== 'c3'));
    await expectIndexes(queries.filter(({ kind }) => kind === 'find').slice(0, 1));
    await close();
    expect(await closed()).to.have.length(11);
    expect(await close()).to.equal(0);
  });

  it('a conversation that is deleted while closeIdle runs is skipped and not counted', async () => {
    const minDays = 7500;
    const { project, closed } = await makeIdle([minDays + 3, minDays + 2, minDays + 1], { participants: ['bot_1'] });
    const key = { id_project: project.id, request_id: 'c1' };
    const { promise: deleted, resolve: release } = Promise.withResolvers<void>();
    const holdsLock = runExclusive(lockKey(key), () => deleted);
    const run = closeIdle({ hasBot: true, seconds: (minDays * DAY_MS) / 1000 });
    await waitUntil(async () => (await closed()).includes('c0')); // closeIdle has found c1 and waits for its lock
    await Conversation.deleteOne(key);
    release();
    const [closedCount] = await Promise.all([run, holdsLock]);
    expect(closedCount).to.equal(2);
    expect(await closed()).to.deep.equal(['c0', 'c2']);
  });
});
