/** Conversations that nobody goes on with are closed by the clock (contract b 2.7). */
import { expect } from 'chai';
import { closeIdle } from '#shared/domain/conversations/idle.ts';
import { Request } from '#shared/models/request.ts';
import { processorOf } from '../../workers/processors.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { expectIndexes, queriesDuring } from '../support/plans.ts';
import { times } from '../support/stage.ts';

const DAY = 86_400_000;
/** In days: longer untouched than those of any other test. */
const OLD = 7300;

/** Conversations of one visitor, each of which was touched so many days ago. */
const untouched = async (days: number[], more: object = {}) => {
  const { project, guest, owner } = await aProject();
  const root = `/v3/${project.id}/requests`;
  for (const [at, age] of days.entries()) {
    await api(guest).post(`${root}/c${at}/messages`, { text: 'Hi', ...more });
    const updatedAt = new Date(Date.now() - age * DAY);
    await Request.updateOne({ id_project: project.id, request_id: `c${at}` }, { updatedAt }, { timestamps: false });
  }
  const closed = async (): Promise<string[]> => {
    const found = await Request.find({ id_project: project.id, status: 1000 }).sort({ ticket_id: 1 }).lean();
    return found.map(({ request_id }) => request_id);
  };
  return { project, owner, root, closed };
};

describe('Idle conversations', () => {
  it('of bots end after two days, without mail; those of people do not unless that is set', async () => {
    const { project, owner, root, closed } = await untouched([OLD, 1], { participants: ['bot_1'] });
    const people = await untouched([OLD]);
    for (const job of ['upkeep.close-idle-bots', 'upkeep.close-idle-agents'] as const)
      await (await processorOf(job))({});
    expect(await closed()).to.deep.equal(['c0']);
    expect(await people.closed()).to.deep.equal([]);
    const { body } = await api(owner).get(`${root}/c0`);
    expect(body).to.include({ closed_by: '_bot_unresponsive', status: 1000 }).and.include.keys('duration');
    const told = (await changes(project.id)).find(({ event }) => event === 'request.close.extended');
    expect(told?.payload).to.include({ notify: false });
    await closeIdle({ hasBot: false, seconds: ((OLD - 1) * DAY) / 1000 });
    expect(await people.closed()).to.deep.equal(['c0']);
  });

  it('end ten at once, the longest untouched first, pending ones never; they are found by an index', async () => {
    const years = 3650;
    const { project, closed } = await untouched(
      times(12, (at) => years + 12 - at),
      { participants: ['bot_1'] },
    );
    await Request.updateOne(
      { id_project: project.id, request_id: 'c3' },
      { workingStatus: 'pending' },
      { timestamps: false },
    );
    const close = () => closeIdle({ hasBot: true, seconds: (years * DAY) / 1000 });
    const queries = await queriesDuring(['requests'], close);
    expect(await closed()).to.deep.equal(times(11, (at) => `c${at}`).filter((id) => id !== 'c3'));
    await expectIndexes(queries.filter(({ kind }) => kind === 'find').slice(0, 1));
    await close();
    expect(await closed()).to.have.length(11);
    expect(await close()).to.equal(0);
  });
});
