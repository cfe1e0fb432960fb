/** No query on leads or segments (stored filters of leads) scans a collection: each query uses an index. */
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { expectIndexes, queriesDuring } from '../support/explain.ts';
import { aProject } from '../support/people.ts';

const LIST_QUERIES = [
  '',
  '?sort=fullname',
  '?email=a@x.org',
  '?with_email=1',
  '?tags=a',
  '?full_text=ann',
  '?status=1000',
];

describe('Indexes of lead and segment queries', () => {
  it('every query on leads and segments uses an index', async () => {
    const { project, owner } = await aProject();
    const [leads, segments] = [`/v3/${project.id}/leads`, `/v3/${project.id}/segments`];
    const { _id } = (await api(owner).post(leads, { fullname: 'Ann' })).body;
    const filters = [{ field: 'fullname', operator: 'contains', value: 'n' }];
    const queries = await queriesDuring(['leads', 'segments'], async () => {
      const segment = (await api(owner).post(segments, { name: 'N', match: 'any', filters })).body;
      for (const list of [...LIST_QUERIES, `?segment=${segment._id}`]) await api(owner).get(leads + list);
      await api(owner).get(`${leads}/${_id}`);
      await api(owner).put(`${leads}/${_id}`, { city: 'Rome' });
      await api(owner).put(`${leads}/${_id}/tag`, ['a']);
      await api(owner).patch(`${leads}/${_id}/attributes`, { a: 1 });
      const other = (await api(owner).post(leads, { email: 'b@x.org' })).body;
      for (const criterion of ['lead_id=x', 'email=b@x.org', 'phone=39'])
        await api(owner).get(`${leads}/lookup?${criterion}`);
      await api(owner).get(`${leads}/csv`);
      await api(owner).post(`${leads}/${_id}/merge`, { lead: other._id });
      await api(owner).delete(`${leads}/${_id}`);
      await api(owner).post(`${segments}/preview`, { match: 'any', filters });
      await api(owner).get(segments);
      await api(owner).put(`${segments}/${segment._id}`, { name: 'M' });
      await api(owner).delete(`${segments}/${segment._id}`);
    });
    expect(queries.length).to.be.greaterThan(25);
    await expectIndexes(queries);
  });
});
