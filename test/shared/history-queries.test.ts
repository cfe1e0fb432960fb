/** No read of what was done and said walks through a whole collection: every one has an index. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { expectIndexes, queriesDuring } from '../support/plans.ts';
import { stopRelaying } from '../support/relay.ts';

const WATCHED = ['activities', 'request_changes', 'requests', 'messages', 'project_users'];

describe('Every query of what was done and said', () => {
  it('uses an index', async () => {
    const { project, owner, guest, agent, root, one, request_id } = await aConversation();
    await stopRelaying();
    const { body } = await api(owner).get(`${one}/transcript-link`);
    const { search } = new URL(body.links.messages);
    const queries = await queriesDuring(WATCHED, async () => {
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
      for (const by of [owner, guest]) await api(by).get(`/v3/requests_util/lookup/id_project/${request_id}`);
      for (const format of ['', '.txt'])
        await api().get(`/v3/public/requests/${request_id}/messages${format}${search}`);
    });
    expect(queries.length).to.be.at.least(20);
    await expectIndexes(queries);
  });
});
