import { expect } from 'chai';
import * as contents from '#shared/domain/knowledge/contents.ts';
import { type Attempt, takeNextContent } from '#shared/domain/knowledge/indexing/attempts.ts';
import * as namespaces from '#shared/domain/knowledge/namespaces.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { embeddingUsage } from '#shared/embedding/usage.ts';
import { AppError } from '#shared/errors.ts';
import { indexingAttempts } from '#shared/metrics.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { indexContent } from '../../workers/indexing/index-content.ts';
import { api } from '../support/api.ts';
import { aSite } from '../support/fake-site.ts';
import { times } from '../support/fleet-fixture.ts';
import { wordEmbedder } from '../support/indexed-contents.ts';
import { chunkIds, countByStatus } from '../support/knowledge.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

const htmlPage = (title: string, text: string) =>
  `<html><head><title>${title}</title></head><body><nav><a href="/">Home</a></nav><main><h1>${title}</h1><p>${text}</p></main></body></html>`;

const countAttempts = async (): Promise<Record<'indexed' | 'overtaken', number>> => {
  const { values } = await indexingAttempts.get();
  const countOf = (result: string) => values.find(({ labels }) => labels.result === result)?.value ?? 0;
  return { indexed: countOf('indexed'), overtaken: countOf('overtaken') };
};

const PAGES = {
  '/hours': htmlPage(
    'Opening hours',
    'The shop opens at nine in the morning and closes at six in the evening, from Monday to Friday.',
  ),
  '/returns': htmlPage(
    'Returns',
    'You can send an article back within thirty days. We pay the postage if the article arrives broken.',
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

  it('an attempt at a content that was changed during the attempt is counted as overtaken, not as indexed', async () => {
    const { id } = (await aProject()).project;
    const note = { namespace: id, type: 'text', source: 'note', name: 'Note' };
    await namespaces.find(id, id);
    await contents.add(id, { ...note, content: 'There are ten places.' });
    const attempt = await takeNextContent(id);
    await contents.add(id, { ...note, content: 'There are twelve places.' });
    const before = await countAttempts();
    await indexContent(attempt as Attempt, new AbortController().signal);
    expect(await countAttempts()).to.deep.equal({ ...before, overtaken: before.overtaken + 1 });
    await runJobs();
    expect(await countByStatus(id)).to.deep.equal({ 300: 1 });
  });

  it('contents of the types text and faq are indexed', async () => {
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

  it('a second import of the same pages embeds no text and adds no chunk', async () => {
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

describe('Failed attempts at a content', () => {
  const original = embedder();
  const unavailable = async () => {
    throw new AppError(503, 'AI_UNAVAILABLE', 'The AI provider is unavailable');
  };
  let id_project: string;
  let site: Awaited<ReturnType<typeof aSite>>;

  /** Makes `count` attempts. Returns the status and the error code after each attempt. */
  const attemptTimes = async (count: number): Promise<[number, string][]> => {
    const results: [number, string][] = [];
    for (const _ of times(count, Number)) {
      await KbContent.updateOne({ id_project }, { $set: { nextAttemptAt: new Date() } });
      const attempt = await takeNextContent(id_project);
      if (attempt) await indexContent(attempt, new AbortController().signal);
      const { status, error } = await KbContent.findOne({ id_project }).orFail().lean();
      results.push([status, error?.code]);
    }
    return results;
  };

  before(async () => {
    setEmbedder({ ...wordEmbedder, embed: unavailable });
    id_project = (await aProject()).project.id;
    site = await aSite({ ...PAGES });
    await namespaces.find(id_project, id_project);
    const source = site.url('/hours');
    await contents.add(id_project, { namespace: id_project, type: 'url', source, name: 'Hours' });
  });
  after(async () => {
    setEmbedder(original);
    await site.close();
  });

  it('an outage does not use up the attempts of the page, which fails after its own fourth failure', async () => {
    // Earlier versions stored contents without `outages`.
    await KbContent.updateOne({ id_project }, { $unset: { outages: 1 } });
    expect(await attemptTimes(5)).to.deep.equal(times(5, () => [-1, 'AI_UNAVAILABLE']));
    site.pages['/hours'] = { status: 500 };
    expect(await attemptTimes(2)).to.deep.equal(times(2, () => [-1, 'HTTP_500']));
    site.pages['/hours'] = PAGES['/hours'];
    expect(await attemptTimes(1)).to.deep.equal([[-1, 'AI_UNAVAILABLE']]);
    site.pages['/hours'] = { status: 500 };
    expect(await attemptTimes(2)).to.deep.equal([
      [-1, 'HTTP_500'],
      [400, 'HTTP_500'],
    ]);
    const { error } = await KbContent.findOne({ id_project }).orFail().lean();
    expect(error.attempt).to.equal(10);
  });

  it('a content that is queued again has all its attempts left', async () => {
    const { _id } = await KbContent.findOne({ id_project }).orFail().lean();
    await contents.reindex(id_project, { id: String(_id), namespace: id_project });
    expect(await KbContent.findOne({ id_project }).lean()).to.include({ failures: 0, outages: 0 });
    expect((await attemptTimes(4)).at(-1)).to.deep.equal([400, 'HTTP_500']);
  });
});
