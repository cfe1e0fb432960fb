/** Contents of sitemaps, and contents with a refresh rate. */
import { expect } from 'chai';
import { queueDueRefreshes } from '#shared/domain/knowledge/refresh-contents.ts';
import { refreshSitemap } from '#shared/domain/knowledge/sitemap-contents.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { api } from '../support/api.ts';
import { addContent, aPageBody, aTextBody } from '../support/content-bodies.ts';
import { aSite } from '../support/fake-site.ts';
import { knowledgeCalls, SENTENCE } from '../support/knowledge-calls.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const DAY_MS = 86_400_000;
const page = (title: string) => `<main><h1>${title}</h1><p>${title}: ${SENTENCE}</p></main>`;
const sitemapOf = (...urls: string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

describe('Contents that are refreshed', () => {
  let fixture: ProjectFixture;
  let project: string;
  let calls: ReturnType<typeof knowledgeCalls>;
  let site: Awaited<ReturnType<typeof aSite>>;

  before(async () => {
    [fixture, site] = await Promise.all([aProject(), aSite()]);
    project = fixture.project.id;
    calls = knowledgeCalls(fixture);
  });
  after(() => site.close());

  describe('Sitemaps', () => {
    const importSitemap = (namespace: string, more = {}) =>
      calls.post(`/sitemap/import?namespace=${namespace}`, {
        type: 'sitemap',
        source: site.url('/sitemap.xml'),
        ...more,
      });
    const serve = (...names: string[]) => {
      for (const name of names) site.pages[`/${name}`] = page(name);
      site.pages['/sitemap.xml'] = sitemapOf(...names.map((name) => site.url(`/${name}`)));
    };
    /** Serves a sitemap index with two sitemaps: `part`, and one that is missing. */
    const serveIndex = (part: string) => {
      site.pages['/part.xml'] = part;
      const parts = ['/part.xml', '/gone.xml'].map((path) => `<sitemap><loc>${site.url(path)}</loc></sitemap>`);
      site.pages['/sitemap.xml'] = `<sitemapindex>${parts.join('')}</sitemapindex>`;
    };

    it('an import adds the pages, which refer to the sitemap, and then the sitemap itself', async () => {
      const namespace = await calls.aNamespace();
      serve('one', 'two');
      const { status, body } = await importSitemap(namespace, {
        refresh_rate: 'daily',
        tags: ['site'],
        scrape_type: 0,
      });
      expect(status).to.equal(200);
      const sitemap = body.at(-1);
      expect(body.map(({ type }: { type: string }) => type)).to.deep.equal(['url', 'url', 'sitemap']);
      expect(sitemap).to.include({ source: site.url('/sitemap.xml'), refresh_rate: 'daily', namespace });
      expect(body[0]).to.deep.include({
        ...{ source: site.url('/one'), refresh_rate: 'daily', tags: ['site'], scrape_type: 0, status: -1 },
        ...{ sitemap_origin_id: sitemap._id, sitemap_origin: sitemap.source },
      });
      await runJobs();
      expect((await calls.read(body[1]._id)).status).to.equal(300);
      expect((await importSitemap(namespace)).body.at(-1)._id).to.equal(sitemap._id);
    });

    it('an import requires the type sitemap (403) and a sitemap that lists pages (400) and can be read (500)', async () => {
      serve('one');
      const typed = await importSitemap(project, { type: 'url' });
      expect([typed.status, typed.body.error]).to.deep.equal([403, 'Endpoint available for sitemap type only.']);
      site.pages['/sitemap.xml'] = sitemapOf();
      const empty = await importSitemap(project);
      expect([empty.status, empty.body.error]).to.deep.equal([400, 'No url found on sitemap']);
      site.pages['/sitemap.xml'] = { status: 500 };
      const broken = await importSitemap(project);
      expect(broken.status).to.equal(500);
      expect(broken.body.error).to.match(/^Unable to fecth sitemap due to an error: /);
      expect(await KbContent.countDocuments({ id_project: project, type: 'sitemap', namespace: project })).to.equal(0);
    });

    it('scrape/single of a sitemap adds new pages, and removes those that the sitemap no longer lists', async () => {
      const namespace = await calls.aNamespace();
      serve('one', 'two');
      const sitemap = (await importSitemap(namespace)).body.at(-1);
      const text = await addContent(fixture.admin, project, aTextBody(namespace));
      await runJobs();
      serve('two', 'three', 'four');
      const ref = { id: sitemap._id, namespace, type: 'sitemap', source: sitemap.source };
      const { body } = await calls.post('/scrape/single', ref);
      const message = 'Content queued for reindexing';
      expect(body).to.deep.equal({ success: true, message, added_urls: 2, removed_url: 1 });
      expect(await calls.pageSources(namespace)).to.have.members(
        ['two', 'three', 'four'].map((name) => site.url(`/${name}`)),
      );
      expect((await calls.read(text._id)).status).to.equal(300);
      const unknown = await calls.post('/scrape/single', { ...ref, id: '0'.repeat(24) });
      expect(unknown.status).to.equal(404);
    });

    it('a page is removed when its sitemap has not listed it in three consecutive scheduled refreshes; those in which a part of the sitemap cannot be read do not count', async () => {
      const namespace = await calls.aNamespace();
      serve('one', 'two', 'three');
      const sitemap = (await importSitemap(namespace, { refresh_rate: 'daily' })).body.at(-1);
      await runJobs();
      const refresh = async () => {
        await KbContent.updateOne(
          { _id: sitemap._id, id_project: project },
          { last_refresh: new Date(Date.now() - DAY_MS) },
        );
        await queueDueRefreshes();
        await calls.post('', aTextBody(namespace));
        await runJobs();
        return (await calls.pageSources(namespace)).length;
      };
      const refreshWith = (...names: string[]) => {
        serve(...names);
        return refresh();
      };
      expect(await refreshWith('three')).to.equal(3);
      expect(await refreshWith('two', 'three')).to.equal(3);
      expect(await refreshWith('three')).to.equal(2);
      serveIndex(sitemapOf(site.url('/three')));
      for (let count = 1; count <= 3; count += 1) await refresh();
      expect((await calls.read(sitemap._id)).status).to.equal(300);
      expect(await calls.pageSources(namespace)).to.have.members([site.url('/two'), site.url('/three')]);
    });

    it('a page that its sitemap does not list is counted as missing once in each refresh, however many attempts the refresh needs', async () => {
      const namespace = await calls.aNamespace();
      serve('one', 'two');
      const { _id: id } = (await importSitemap(namespace)).body.at(-1);
      serve('two');
      const attempt = () => refreshSitemap({ id_project: project, id }, AbortSignal.timeout(10_000));
      for (let count = 1; count <= 4; count += 1) expect(await attempt()).to.deep.equal({ added: 0, removed: 0 });
      const finish = (publishedAttemptId: string) =>
        KbContent.updateOne({ _id: id, id_project: project }, { publishedAttemptId });
      await finish('refresh 1');
      for (let count = 1; count <= 2; count += 1) expect((await attempt()).removed).to.equal(0);
      await finish('refresh 2');
      expect((await attempt()).removed).to.equal(1);
    });

    it('a refresh of a sitemap is tried again if the site fails, but not if the sitemap is missing', async () => {
      const namespace = await calls.aNamespace();
      serve('one');
      const { _id } = (await importSitemap(namespace, { refresh_rate: 'daily' })).body.at(-1);
      await runJobs();
      const readAfter = async (change: object) => {
        await KbContent.updateOne({ _id, id_project: project }, change);
        await queueDueRefreshes();
        await calls.post('', aTextBody(namespace));
        await runJobs();
        return KbContent.findOne({ _id, id_project: project }).orFail().lean();
      };
      const yesterday = { last_refresh: new Date(Date.now() - DAY_MS) };
      site.pages['/sitemap.xml'] = { status: 503 };
      const failed = await readAfter(yesterday);
      expect(failed).to.deep.include({ status: -1, failures: 1 });
      expect(failed.waiting).to.include({ code: 'SITEMAP_FAILED' });
      serve('one', 'two');
      expect(await readAfter({ nextAttemptAt: new Date() })).to.include({ status: 300, failures: 0 });
      expect(await calls.pageSources(namespace)).to.have.length(2);
      site.pages['/sitemap.xml'] = { status: 404 };
      expect(await readAfter(yesterday)).to.include({ status: 400, failures: 1 });
    });

    it('a refresh of a sitemap index removes no page if one of its sitemaps cannot be read', async () => {
      const namespace = await calls.aNamespace();
      serve('one', 'two');
      const sitemap = (await importSitemap(namespace)).body.at(-1);
      serveIndex(sitemapOf(site.url('/one')));
      const { body } = await calls.post('/scrape/single', { id: sitemap._id, namespace, type: 'sitemap' });
      expect(body).to.include({ added_urls: 0, removed_url: 0 });
      expect(await calls.pageSources(namespace)).to.have.length(2);
    });

    for (const kind of ['a sitemap', 'a sitemap index'])
      it(`a refresh of ${kind} removes no page if the file is truncated`, async () => {
        const namespace = await calls.aNamespace();
        serve('one', 'two');
        const sitemap = (await importSitemap(namespace)).body.at(-1);
        site.pages['/part.xml'] = sitemapOf(site.url('/one'));
        site.pages['/sitemap.xml'] =
          kind === 'a sitemap'
            ? sitemapOf(site.url('/one')).replace('</urlset>', '<url><loc>')
            : `<sitemapindex><sitemap><loc>${site.url('/part.xml')}</loc></sitemap><sitemap>`;
        const { body } = await calls.post('/scrape/single', { id: sitemap._id, namespace, type: 'sitemap' });
        expect(body).to.include({ added_urls: 0, removed_url: 0 });
        expect(await calls.pageSources(namespace)).to.have.length(2);
      });

    it('deleting a sitemap deletes its pages, and no other contents', async () => {
      const namespace = await calls.aNamespace();
      serve('one', 'two');
      const sitemap = (await importSitemap(namespace)).body.at(-1);
      await addContent(fixture.admin, project, aPageBody(namespace));
      await runJobs();
      expect((await api(fixture.admin).delete(`${calls.root}/${sitemap._id}`)).body._id).to.equal(sitemap._id);
      await runJobs();
      expect(await KbContent.countDocuments({ id_project: project, namespace })).to.equal(1);
      expect(await KbChunk.countDocuments({ id_project: project, namespace })).to.equal(0);
    });
  });

  describe('Refresh rates', () => {
    it('contents are queued again when their refresh is due, and keep their chunks meanwhile', async () => {
      const namespace = await calls.aNamespace();
      site.pages['/daily'] = page('daily');
      const add = (refresh_rate: string, path: string) =>
        addContent(fixture.admin, project, aPageBody(namespace, { refresh_rate, source: site.url(path) }));
      const [daily, weekly, never] = [
        await add('daily', '/daily'),
        await add('weekly', '/missing'),
        await add('never', '/daily?never'),
      ];
      await runJobs();
      const statusAfter = async (days: number) => {
        await queueDueRefreshes(Date.now() + days * DAY_MS);
        return Promise.all([daily, weekly, never].map(async ({ _id }) => (await calls.read(_id)).status));
      };
      expect(await statusAfter(0.9)).to.deep.equal([300, 400, 400]);
      expect(await statusAfter(1.1)).to.deep.equal([-1, 400, 400]);
      expect(await KbChunk.countDocuments({ id_project: project, content: daily._id })).to.be.above(0);
      expect(await statusAfter(7.1)).to.deep.equal([-1, -1, 400]);
      await KbContent.deleteMany({ id_project: project, namespace });
    });
  });
});
