/** What is kept of how many conversations there are is what counting them tells, whatever happens at once. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import * as closing from '#shared/domain/conversations/closing.ts';
import * as participants from '#shared/domain/conversations/participants.ts';
import * as tallies from '#shared/domain/conversations/tallies.ts';
import { Request } from '#shared/models/request.ts';
import { RequestTally } from '#shared/models/request-tally.ts';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';
import { times } from '../support/stage.ts';

const CONVERSATIONS = 8;
const CHANGES = 60;
const STATUSES = [100, 200, 1000];

type Where = { id_project: string; request_id: string };

const any = <T>(all: T[]): T => all[Math.floor(Math.random() * all.length)] as T;

const expectEqual = async (id_project: string): Promise<void> => {
  for (const status of STATUSES)
    for (const hasBot of [true, false]) {
      const filter = { id_project, status: { $in: [status] }, hasBot };
      expect(await tallies.count(filter), JSON.stringify(filter)).to.equal(await Request.countDocuments(filter));
    }
  const all = { id_project, preflight: { $in: [true, false] }, draft: { $ne: true } };
  expect(await tallies.count(all)).to.equal(await Request.countDocuments(all));
};

describe('Tallies of conversations', () => {
  const aBusyProject = async () => {
    const { project, guest, owner, agent } = await aProject();
    const id_project = project.id;
    const open = async () => {
      const sourcePage = any(['https://example.org/?td_draft=true', 'https://example.org']);
      const first = { text: 'Hi', attributes: { sourcePage }, participants: any([undefined, ['bot_1']]) };
      const { body } = await api(guest).post(`/v3/${id_project}/requests/${randomUUID()}/messages`, first);
      return body.request.request_id as string;
    };
    const by = { kind: 'user', id: owner.id, role: 'owner' };
    const verbs = [
      (where: Where) => closing.close(where, by),
      (where: Where) => closing.reopen(where),
      (where: Where) => participants.set(where, any([[], ['bot_1'], [agent.id]]), by),
    ];
    const changeAny = async (ids: string[]) => any(verbs)({ id_project, request_id: any(ids) });
    return { id_project, owner, open, changeAny };
  };

  it('follow openings and changes, folded meanwhile by two at once', async () => {
    const { id_project, open, changeAny } = await aBusyProject();
    const ids = await Promise.all(times(CONVERSATIONS, open));
    const changes = times(CHANGES, () => changeAny(ids));
    await Promise.all([...changes, tallies.fold(), tallies.fold(), open()]);
    await expectEqual(id_project);
    await tallies.fold();
    await expectEqual(id_project);
  });

  it('are few once they are folded', async () => {
    const { id_project, open } = await aBusyProject();
    await Promise.all(times(CONVERSATIONS, open));
    await tallies.fold();
    const rows = await RequestTally.find({ id_project }).lean();
    const kinds = rows.map(({ status, hasBot, draft }) => [status, hasBot, draft].join());
    expect(kinds)
      .to.have.length.below(5)
      .and.to.deep.equal([...new Set(kinds)]);
    expect(rows.filter(({ loose }) => loose)).to.deep.equal([]);
  });

  it('are made right from the conversations, while more of them come', async () => {
    const { id_project, open } = await aBusyProject();
    await Promise.all(times(CONVERSATIONS, open));
    await RequestTally.deleteMany({ id_project });
    const [corrected] = await Promise.all([tallies.recount(id_project), open()]);
    expect(corrected).to.be.greaterThan(0);
    await expectEqual(id_project);
    expect(await tallies.recount(id_project)).to.equal(0);
  });
});
