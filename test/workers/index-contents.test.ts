import { expect } from 'chai';
import { embeddingUsage } from '#shared/embedding/usage.ts';
import { api } from '../support/api.ts';
import { aSite } from '../support/fake-site.ts';
import { chunkIds, countByStatus } from '../support/knowledge.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

const htmlPage = (title: string, text: string) =>
  `<html><head><title>${title}</title></head><body><nav><a href="/">Home</a></nav><main><h1>${title}</h1><p>${text}</p></main></body></html>`;

const PAGES = {
  '/hours': htmlPage(
    'Opening hours',
    'The shop opens at nine in the morning and closes at six in the evening, from Monday to Friday.',
  ),
  '/returns': htmlPage(
    'Returns',
    'You can send an article back within thirty days. We pay the postage when the article was broken.',
  ),
  '/gone': { status: 410, body: 'gone' },
};

describe('Indexing contents (POST /v3/:project_id/kb)', () => {
  it('a page is indexed in the background, and deleting it removes all its chunks', async () => {
    const { project, admin } = await aProject();
    const site = await aSite(PAGES);
    const root = `/v3/${project.id}/kb`;

    const added = await api(admin).post(root, {
      name: 'Hours',
      type: 'url',
      source: site.url('/hours'),
      content: '',
      namespace: project.id,
    });
    expect(added.status, added.text).to.equal(200);
    expect(added.body.value.status).to.equal(-1);
    await runJobs();

    const read = await api(admin).get(`${root}/${added.body.value._id}`);
    expect(read.body.status, read.text).to.equal(300);
    const indexed = await chunkIds(project.id);
    expect(indexed.stored).to.have.length(indexed.expected).greaterThan(0);
    expect(indexed.indexed).to.deep.equal(indexed.stored);

    expect((await api(admin).delete(`${root}/${added.body.value._id}`)).body._id).to.equal(added.body.value._id);
    const remaining = await chunkIds(project.id);
    expect([remaining.stored, remaining.indexed]).to.deep.equal([[], []]);
    await site.close();
  });

  it('contents of type text and faq are indexed', async () => {
    const { project, admin } = await aProject();
    const root = `/v3/${project.id}/kb`;
    await api(admin).post(root, {
      name: 'Note',
      type: 'text',
      source: 'note',
      content: '# Parking\n\nThere are ten places behind the house.',
      namespace: project.id,
    });
    await api(admin).post(root, {
      name: 'Pay',
      type: 'faq',
      source: 'How can I pay?',
      content: 'How can I pay?\nBy card or by invoice.',
      namespace: project.id,
    });
    await runJobs();
    expect(await countByStatus(project.id)).to.deep.equal({ 300: 2 });
  });

  it('a second import of the same pages fetches conditionally, embeds no text and adds no chunk', async () => {
    const { project, admin } = await aProject();
    const site = await aSite(PAGES);
    const list = Object.keys(PAGES).map((path) => site.url(path));
    const importAll = () => api(admin).post(`/v3/${project.id}/kb/multi?namespace=${project.id}`, { list });

    const first = await importAll();
    expect(first.body.map(({ source }: { source: string }) => source)).to.deep.equal(list);
    await runJobs();
    expect(await countByStatus(project.id)).to.deep.equal({ 300: 2, 400: 1 });
    const failed = await api(admin).get(`/v3/${project.id}/kb?namespace=${project.id}&status=400`);
    expect(failed.status, failed.text).to.equal(200);
    expect(failed.body.kbs[0].error).to.include({ code: 'HTTP_410', attempt: 1 });
    const before = { chunkState: await chunkIds(project.id), texts: embeddingUsage().texts };

    await importAll();
    await runJobs();
    expect({ chunkState: await chunkIds(project.id), texts: embeddingUsage().texts }).to.deep.equal(before);
    await site.close();
  });
});
