/** Refreshes of a page: what searches find in the meantime, and which steps are skipped if nothing has changed. */
import { expect } from 'chai';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { api } from '../support/api.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { wordEmbedder } from '../support/indexed-contents.ts';
import { chunkIds } from '../support/knowledge.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { waitUntil } from '../support/wait-until.ts';

const OLD_TEXT = 'The shop opens at nine in the morning and closes at six in the evening, from Monday to Friday.';
const NEW_TEXT = 'The shop opens at ten in the morning and closes at eight in the evening, also on Saturdays.';
const pageOf = (text: string) => `<main><h1>Hours</h1><p>${text}</p></main>`;

describe('Refresh of a page', () => {
  const original = embedder();
  const embeddedTexts: string[] = [];
  /** The embedding of the new version waits for this promise. */
  let gate = Promise.resolve();
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let site: Awaited<ReturnType<typeof aSite>>;
  let id: string;

  const root = () => `/v3/${fixture.project.id}/kb`;
  const refresh = async () => {
    const { status, text } = await api(fixture.admin).post(`${root()}/scrape/single`, {
      id,
      namespace: fixture.project.id,
    });
    expect(status, text).to.equal(200);
    await runJobs();
  };
  const findTexts = async () => {
    const { project } = fixture;
    const key = { id_project: project.id, namespace: project.id };
    return (await retrieve(key, 'when does the shop open', { limit: 5 })).chunks.map(({ text }) => text);
  };
  const lastAttempt = async () => (await api(fixture.admin).get(`${root()}/${id}/timeline`)).body.attempts[0];

  const index = async (page: FakePage, options = {}) => {
    site = await aSite({ '/hours': page }, options);
    const body = { type: 'url', source: site.url('/hours'), namespace: fixture.project.id };
    id = (await api(fixture.admin).post(root(), body)).body.value._id;
    await runJobs();
    expect(await findTexts()).to.deep.equal([OLD_TEXT]);
    embeddedTexts.length = 0;
  };

  before(() =>
    setEmbedder({
      ...wordEmbedder,
      embed: async (texts, options) => {
        if (!options.priority) embeddedTexts.push(...texts);
        if (texts.some((text) => text.includes(NEW_TEXT))) await gate;
        return wordEmbedder.embed(texts, options);
      },
    }),
  );
  after(() => setEmbedder(original));
  beforeEach(async () => {
    fixture = await aProject();
  });
  afterEach(() => site.close());

  it('the old version is found until the new one is complete, and then only the new one', async () => {
    await index(pageOf(OLD_TEXT));
    site.pages['/hours'] = pageOf(NEW_TEXT);
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const refreshed = refresh();
    await waitUntil(() => embeddedTexts.length > 0);
    expect(await findTexts()).to.deep.equal([OLD_TEXT]);
    expect(await lastAttempt()).to.include({ outcome: 'running' });
    resolve();
    await refreshed;
    expect(await findTexts()).to.deep.equal([NEW_TEXT]);
    const { stored, indexed, expected } = await chunkIds(fixture.project.id);
    expect([stored.length, indexed]).to.deep.equal([expected, stored]);
  });

  for (const [failure, page] of [
    ['is gone', { status: 410 }],
    ['cannot be parsed', { body: 'x', headers: { 'content-type': 'image/png' } }],
  ] as [string, FakePage][])
    it(`the old version is found after a refresh that fails because the page ${failure}`, async () => {
      await index(pageOf(OLD_TEXT));
      site.pages['/hours'] = page;
      await refresh();
      expect((await api(fixture.admin).get(`${root()}/${id}`)).body.status).to.equal(400);
      expect(await findTexts()).to.deep.equal([OLD_TEXT]);
    });

  it('a page whose ETag is unchanged is neither read nor embedded', async () => {
    await index(pageOf(OLD_TEXT), { etags: true });
    await refresh();
    expect(await lastAttempt())
      .to.deep.include({ outcome: 'unchanged' })
      .and.nested.include({ 'stages[0].bytes': 0 });
    expect(embeddedTexts).to.deep.equal([]);
  });

  it('a page that has not been modified since its Last-Modified date is neither read nor embedded', async () => {
    const lastModified = 'Mon, 02 Nov 2026 10:00:00 GMT';
    await index({ body: pageOf(OLD_TEXT), headers: { 'last-modified': lastModified } });
    site.pages['/hours'] = { status: 304 };
    await refresh();
    expect(site.requests.at(-1)?.headers).to.include({ 'if-modified-since': lastModified });
    expect(await lastAttempt())
      .to.include({ outcome: 'unchanged' })
      .and.nested.include({ 'stages[0].bytes': 0 });
    expect(embeddedTexts).to.deep.equal([]);
  });

  it('a page without ETag and Last-Modified headers is read, but not embedded if its text is unchanged', async () => {
    await index(pageOf(OLD_TEXT));
    site.pages['/hours'] = pageOf(OLD_TEXT).replace('<main>', '<nav>A new menu</nav><main class="new">');
    await refresh();
    const attempt = await lastAttempt();
    expect(attempt).to.include({ outcome: 'unchanged' });
    expect(attempt.stages.map(({ stage }: { stage: string }) => stage)).to.deep.equal(['fetch', 'parse']);
    expect(embeddedTexts).to.deep.equal([]);
  });

  it('only the changed chunks of a page are embedded', async () => {
    const filler = 'Words about opening and closing times of the shop. '.repeat(30);
    const page = (end: string) =>
      `<main><h1>Hours</h1><p>${OLD_TEXT}</p><p>${filler}</p><h2>End</h2><p>${end}</p></main>`;
    await index(pageOf(OLD_TEXT));
    site.pages['/hours'] = page('Call us in the morning.');
    await refresh();
    const all = embeddedTexts.splice(0).length;
    site.pages['/hours'] = page('Call us in the afternoon.');
    await refresh();
    expect(all).to.be.above(1);
    expect(embeddedTexts).to.have.length(1);
    expect(embeddedTexts[0]).to.include('afternoon');
    expect(await lastAttempt()).to.include({ outcome: 'indexed', embedded: 1 });
  });
});
