import { expect } from 'chai';
import { api } from '../support/api.ts';
import { aProject } from '../support/people.ts';

const aTagCatalogue = async () => {
  const people = await aProject();
  return { ...people, root: `/v3/${people.project.id}/tags` };
};

describe('Tags', () => {
  it('tags are created, partially updated and deleted', async () => {
    const { agent, root } = await aTagCatalogue();
    const tag = (await api(agent).post(root, { tag: 'urgent', color: '#f00', attributes: { a: 1 } })).body;
    expect(tag).to.deep.include({ tag: 'urgent', color: '#f00', attributes: { a: 1 }, createdBy: agent.id });
    const one = `${root}/${tag._id}`;
    const changed = (await api(agent).put(one, { tag: null, color: '#0f0' })).body;
    expect(changed).to.deep.include({ tag: 'urgent', color: '#0f0', attributes: { a: 1 } });
    expect((await api(agent).get(one)).body).to.deep.equal(changed);
    expect((await api(agent).delete(one)).body).to.deep.equal({ n: 1, ok: 1, deletedCount: 1 });
    expect((await api(agent).delete(one)).status).to.equal(404);
    expect((await api(agent).put(one, { tag: 'again' })).status).to.equal(404);
    expect((await api(agent).get(root)).body).to.deep.equal([]);
  });

  it('tag names are unique: creating a tag again, even concurrently, returns the existing tag', async () => {
    const { agent, admin, root } = await aTagCatalogue();
    const replies = await Promise.all(
      [agent, admin, agent, admin].map((caller) => api(caller).post(root, { tag: 'late' })),
    );
    expect(new Set(replies.map(({ status, body }) => `${status} ${body._id}`)).size).to.equal(1);
    const other = (await api(agent).post(root, { tag: 'early' })).body;
    expect((await api(agent).put(`${root}/${other._id}`, { tag: 'late' })).body.code).to.equal('ALREADY_EXISTS');
    expect((await api(agent).post(root, { color: '#fff' })).status).to.equal(422);
  });

  it('two projects may use the same tag names', async () => {
    const [one, other] = [await aTagCatalogue(), await aTagCatalogue()];
    const { body: own } = await api(one.agent).post(one.root, { tag: 'same' });
    const { body: foreign } = await api(other.agent).post(other.root, { tag: 'same' });
    expect(own._id).to.not.equal(foreign._id);
    for (const verb of ['get', 'delete'] as const)
      expect((await api(one.agent)[verb](`${one.root}/${foreign._id}`)).status).to.equal(404);
    expect((await api(one.agent).put(`${one.root}/${foreign._id}`, { tag: 'mine' })).status).to.equal(404);
    expect((await api(other.agent).get(`${other.root}/${foreign._id}`)).body).to.deep.equal(foreign);
  });

  it('tags are listed in pages of 40 that do not overlap, in any sort order', async () => {
    const { agent, root } = await aTagCatalogue();
    const names = Array.from({ length: 45 }, (_, index) => `tag ${String(index).padStart(2, '0')}`);
    await Promise.all(names.map((tag) => api(agent).post(root, { tag })));
    const page = async (query: string) =>
      (await api(agent).get(`${root}?${query}`)).body.map(({ tag }: { tag: string }) => tag) as string[];
    expect(await page('sort=tag&direction=1')).to.deep.equal(names.slice(0, 40));
    expect(await page('sortField=tag&direction=1&page=1')).to.deep.equal(names.slice(40));
    expect([...(await page('')), ...(await page('page=1'))].toSorted()).to.deep.equal(names);
  });
});
