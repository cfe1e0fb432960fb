/** No query on activities, history or transcripts scans a collection: each query uses an index. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { expectIndexes, queriesDuring } from '../support/explain.ts';

const WATCHED_COLLECTIONS = ['activities', 'request_changes', 'requests', 'messages', 'project_users'];

describe('Indexes of activity and transcript queries', () => {
  it('every query on activities, conversation history and transcripts uses an index', async () => {
    const { project, owner, guest, agent, root, one, request_id } = await aConversation();
    const { body } = await api(owner).get(`${one}/transcript-link`);
    const { search } = new URL(body.links.messages);
    const queries = await queriesDuring(WATCHED_COLLECTIONS, async () => {
      for (const filter of [
        '',
        `agent_id=${owner.id}`,
        'activities=REQUEST_CLOSE,REQUEST_CREATE',
        'start_date=01/01/2026',
      ])
        for (const table of ['', '/csv']) await api(owner).get(`/v3/${project.id}/activities${table}?${filter}`);
      for (const table of ['requests/csv', 'requests/csv?status=1000', 'messages/csv'])
        await api(owner).get(`/v3/${project.id}/${table}`);
      await api(agent).get(`${root}/csv`);
      for (const path of ['history', 'messages/csv', 'chatbot/parameters']) await api(owner).get(`${one}/${path}`);
      for (const caller of [owner, guest]) await api(caller).get(`/v3/requests_util/lookup/id_project/${request_id}`);
      for (const format of ['', '.txt'])
        await api().get(`/v3/public/requests/${request_id}/messages${format}${search}`);
    });
    expect(queries.length).to.be.at.least(20);
    await expectIndexes(queries);
  });
});
