/** No query on conversations or messages scans a collection: each query uses an index. */
import { expect } from 'chai';
import * as conversations from '#shared/domain/conversations/conversation.ts';
import * as counters from '#shared/domain/conversations/counters.ts';
import * as messages from '#shared/domain/conversations/messages/messages.ts';
import { api, type Caller } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { expectIndexes, queriesDuring } from '../support/explain.ts';

const WATCHED_COLLECTIONS = [
  'requests',
  'messages',
  'leads',
  'counters',
  'project_users',
  'departments',
  'request_counters',
];

const changeAll = async (caller: Caller, one: string) => {
  await api(caller).patch(one, { subject: 'Order', lead: 'f'.repeat(24) });
  await api(caller).patch(`${one}/attributes`, { vip: true });
  await api(caller).put(`${one}/tag`, [{ tag: 'vip' }]);
  await api(caller).post(`${one}/notes`, { text: 'Call back' });
  await api(caller).put(`${one}/followers`, ['f'.repeat(24)]);
};

describe('Indexes of conversation queries', () => {
  it('every query on conversations and messages uses an index', async () => {
    const { post, guest, agent, owner, root, one, posted, project } = await aConversation();
    const lists = [
      '',
      '?status=all',
      '?preflight=true',
      `?participant=${agent.id}`,
      '?ticket_id=1',
      '?dept_id=x',
      '?tags=a',
      '?full_text=again',
      '?full_text=again+new',
      '?hasbot=false&dept_id=x',
    ];
    const queries = await queriesDuring(WATCHED_COLLECTIONS, async () => {
      await post(guest, { text: 'Again', client_message_id: '1' });
      await post(guest, { text: 'Again', client_message_id: '1' });
      await api(guest).post(`${root}/new-one/messages`, { text: 'New' });
      await api(agent).post(`${one}/messages/multi`, [{ text: 'Again' }, { text: 'And again' }]);
      await api(agent).post(`/v3/${project.id}/messages`, {
        recipient: guest.id,
        recipientFullname: 'A',
        text: 'Psst',
      });
      await api(owner).get(`/v3/${project.id}/messages?populate_request=true`);
      for (const list of lists) for (const caller of [owner, agent]) await api(caller).get(`${root}${list}`);
      for (const caller of [owner, guest])
        for (const list of ['', '?full_text=again']) await api(caller).get(`${root}/me${list}`);
      await api(owner).get(`${root}/count?conversation_quota=true`);
      await api(owner).get(`${root}?cursor=${(await api(owner).get(`${root}?limit=1`)).body.next_cursor}`);
      await api(owner).get(`/v3/${project.id}/messages?full_text=again+new`);
      await counters.compact();
      for (const caller of [owner, guest]) await api(caller).get(`${one}/messages`);
      await api(guest).get(`${one}/messages/${posted.body._id}`);
      await api(owner).get(one);
      await api(owner).put(`${one}/participants`, [agent.id]);
      await api(owner).delete(`${one}/participants/${agent.id}`);
      await api(owner).put(`${one}/close`, {});
      await api(owner).put(`${one}/reopen`, {});
      await changeAll(owner, one);
      await api(guest).patch(`${one}/rating`, { rating: 5 });
      await api(guest).put(`${one}/closeg`, {});
      await api(owner).delete(one);
      await api(owner).delete(`${root}/id/${posted.body._id}`);
      await conversations.readForEvents([posted.body.request._id]);
      await messages.readForEvents([posted.body._id]);
    });
    const kinds = queries.map(({ kind }) => kind);
    expect(kinds).to.include('find').and.include('aggregate').and.include('findAndModify');
    await expectIndexes(queries);
  });
});
