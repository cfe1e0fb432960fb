/**
 * The stored counters of conversations equal the counts of the records, even after concurrent changes. A change adds a
 * row to a counter; compaction sums up these rows.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as participants from '#shared/domain/conversations/assignment/participants.ts';
import * as counters from '#shared/domain/conversations/counters.ts';
import * as lifecycle from '#shared/domain/conversations/lifecycle/close.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { ConversationCounter } from '#shared/models/conversation-counter.ts';
import { api } from '../support/api.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject } from '../support/people.ts';
import { random } from '../support/seeded-random.ts';

const CONVERSATION_COUNT = 8;
const CHANGE_COUNT = 60;
const STATUSES = [100, 200, 1000];

type ConversationKey = { id_project: string; request_id: string };

const pickAny = <T>(all: T[]): T => all[Math.floor(random() * all.length)] as T;

const expectCountsMatch = async (id_project: string): Promise<void> => {
  for (const status of STATUSES)
    for (const hasBot of [true, false]) {
      const filter = { id_project, status: { $in: [status] }, hasBot };
      expect(await counters.count(filter), JSON.stringify(filter)).to.equal(await Conversation.countDocuments(filter));
    }
  const all = { id_project, preflight: { $in: [true, false] }, draft: { $ne: true } };
  expect(await counters.count(all)).to.equal(await Conversation.countDocuments(all));
};

describe('Conversation counters', () => {
  const aBusyProject = async () => {
    const { project, guest, owner, agent } = await aProject();
    const id_project = project.id;
    const open = async () => {
      const sourcePage = pickAny(['https://example.org/?td_draft=true', 'https://example.org']);
      const first = { text: 'Hi', attributes: { sourcePage }, participants: pickAny([undefined, ['bot_1']]) };
      const { body } = await api(guest).post(`/v3/${id_project}/requests/${randomUUID()}/messages`, first);
      return body.request.request_id as string;
    };
    const actor = { kind: 'user', id: owner.id, role: 'owner' };
    const operations = [
      (key: ConversationKey) => lifecycle.close(key, actor),
      (key: ConversationKey) => lifecycle.reopen(key),
      (key: ConversationKey) => participants.set(key, pickAny([[], ['bot_1'], [agent.id]]), actor),
    ];
    const changeAny = async (ids: string[]) => pickAny(operations)({ id_project, request_id: pickAny(ids) });
    return { id_project, owner, open, changeAny };
  };

  it('counters match the conversations after concurrent changes and two concurrent compactions', async () => {
    const { id_project, open, changeAny } = await aBusyProject();
    const ids = await Promise.all(times(CONVERSATION_COUNT, open));
    const changes = times(CHANGE_COUNT, () => changeAny(ids));
    await Promise.all([...changes, counters.compact(), counters.compact(), open()]);
    await expectCountsMatch(id_project);
    await counters.compact();
    await expectCountsMatch(id_project);
  });

  it('compaction leaves one counter for each combination of `status`, `hasBot` and `draft`', async () => {
    const { id_project, open } = await aBusyProject();
    await Promise.all(times(CONVERSATION_COUNT, open));
    await counters.compact();
    const rows = await ConversationCounter.find({ id_project }).lean();
    const kinds = rows.map(({ status, hasBot, draft }) => [status, hasBot, draft].join());
    expect(kinds)
      .to.have.length.below(5)
      .and.to.deep.equal([...new Set(kinds)]);
    expect(rows.filter(({ uncompacted }) => uncompacted)).to.deep.equal([]);
  });

  it('counters can be rebuilt from the conversations while a new conversation is being opened', async () => {
    const { id_project, open } = await aBusyProject();
    await Promise.all(times(CONVERSATION_COUNT, open));
    await ConversationCounter.deleteMany({ id_project });
    const [corrected] = await Promise.all([counters.rebuild(id_project), open()]);
    expect(corrected).to.be.greaterThan(0);
    await expectCountsMatch(id_project);
    expect(await counters.rebuild(id_project)).to.equal(0);
  });
});
