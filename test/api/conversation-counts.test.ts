/** Counts of conversations, and the count that a list of conversations returns. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { billingPeriodAt } from '#shared/domain/quotas/billing-period.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { api } from '../support/api.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';

const aProjectWithConversations = async () => {
  const { project, owner, agent, guest } = await aProject();
  const root = `/v3/${project.id}/requests`;
  const open = async (first: object) => {
    const { body } = await api(guest).post(`${root}/${randomUUID()}/messages`, { text: 'Hi', ...first });
    return `${root}/${body.request.request_id}`;
  };
  const bot = { participants: ['bot_1'] };
  const served = await open({ participants: [agent.id] });
  await open({ participants: [agent.id], attributes: { sourcePage: 'https://example.org/?td_draft=true' } });
  for (const first of [bot, bot]) await open(first);
  await api(owner).put(`${served}/participants`, []);
  await api(owner).put(`${await open({ participants: [agent.id] })}/close`, {});
  await open({ participants: [agent.id] });
  return {
    root,
    owner,
    id_project: project.id,
    read: async (query: string) => (await api(owner).get(root + query)).body,
  };
};

describe('Conversation counts', () => {
  it('GET …/requests/count counts waiting and served conversations, excluding test conversations of the widget (`td_draft=true` in the sourcePage)', async () => {
    const { read } = await aProjectWithConversations();
    expect(await read('/count')).to.deep.equal({ unassigned: 1, assigned: 1, bot_assigned: 2 });
    expect(await read('/count?merge_assigned=1')).to.deep.equal({ unassigned: 1, assigned: 3 });
  });

  it('GET …/requests/count with conversation_quota counts the conversations of the current billing period', async () => {
    const { read, id_project } = await aProjectWithConversations();
    await Conversation.updateOne(
      { id_project, hasBot: true },
      { createdAt: new Date(0) },
      { overwriteImmutable: true },
    );
    const { slot, ...counts } = await read('/count?conversation_quota=true');
    expect(counts).to.deep.equal({ open: 4, closed: 1 });
    expect(slot.startDate).to.equal(new Date().toISOString().slice(0, 10).split('-').toReversed().join('/'));
  });

  it('a billing period starts on the day of the month on which the project was created, or on the last day of a shorter month', () => {
    const periodAt = (now: string) => {
      const { start, end } = billingPeriodAt(new Date(now), new Date('2026-01-31T15:00:00Z'));
      return [start, end].map((at) => at.toISOString().slice(0, 10));
    };
    expect(periodAt('2026-01-31T16:00:00Z')).to.deep.equal(['2026-01-31', '2026-02-28']);
    expect(periodAt('2026-02-27T23:59:59Z')).to.deep.equal(['2026-01-31', '2026-02-28']);
    expect(periodAt('2026-02-28T00:00:00Z')).to.deep.equal(['2026-02-28', '2026-03-31']);
    expect(periodAt('2028-03-01T00:00:00Z')).to.deep.equal(['2028-02-29', '2028-03-31']);
  });
});

describe('Count of a conversation list', () => {
  it('the count of a conversation list is read from counters if its filters allow it, and queried otherwise', async () => {
    const { read, id_project } = await aProjectWithConversations();
    const lists = ['', '?status=all', '?status=1000', '?hasbot=true', '?draft=false&status=100,200', '?dept_id=x'];
    const countCommands = async (query: string) => {
      const commands = await commandsDuring(() => read(query));
      return commands.filter((command) => (command as { aggregate?: string }).aggregate === 'requests').length;
    };
    for (const list of lists) expect(await countCommands(list), list).to.equal(0);
    expect(await countCommands('?rated=true')).to.equal(1);
    const every = { id_project, status: { $in: [50, 100, 150, 200] } };
    expect((await read('')).count).to.equal(await Conversation.countDocuments(every));
    expect((await read('?hasbot=true')).count).to.equal(2);
    expect((await read('?draft=false')).count).to.equal(
      (await read('?draft=false&no_populate=true&rated=false')).count,
    );
  });
});
