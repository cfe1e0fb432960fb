/** Contents from files, forms and sitemaps. */
import { expect } from 'chai';
import { queueDueRefreshes } from '#shared/domain/knowledge/refresh-contents.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { StoredFile } from '#shared/models/stored-file.ts';
import { api } from '../support/api.ts';
import { addContent, aPageBody, aTextBody } from '../support/content-bodies.ts';
import { aDocx, aPdf } from '../support/documents.ts';
import { aSite } from '../support/fake-site.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';
import { uploadFile } from '../support/uploads.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const DAY_MS = 86_400_000;
const sentence = 'Parcels leave our warehouse on the day of the order and arrive within three working days.';
const page = (title: string) => `<main><h1>${title}</h1><p>${title}: ${sentence}</p></main>`;
const sitemapOf = (...urls: string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

const aForm = (text: string, fields: Record<string, string> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('uploadFile', new Blob([text], { type: 'text/csv' }), 'faq.csv');
  return form;
};

describe('Contents from files, forms and sitemaps', () => {
  let fixture: ProjectFixture;
  let project: string;
  let root: string;
  let site: Awaited<ReturnType<typeof aSite>>;

  before(async () => {
    [fixture, site] = await Promise.all([aProject(), aSite()]);
    project = fixture.project.id;
    root = `/v3/${project}/kb`;
  });
  after(() => site.close());

  const post = (path: string, body: object) => api(fixture.admin).post(`${root}${path}`, body);
  const aNamespace = async (): Promise<string> => (await post('/namespace', { name: 'Own' })).body.id;
  const read = async (id: string) => (await api(fixture.admin).get(`${root}/${id}`)).body;
  const chunkTexts = async (id: string): Promise<string> =>
    (await KbChunk.find({ id_project: project, content: id }).sort({ index: 1 }).lean())
      .map(({ text }) => text)
      .join('\n');
  const sources = (namespace: string, type = 'url') =>
    KbContent.distinct('source', { id_project: project, namespace, type });

  const upload = async (name: string, type: string, bytes: Buffer | string): Promise<string> => {
    const path = `/v3/${project}/files/assets?expiration=86400`;
    const { status, body } = await uploadFile(fixture.admin, path, { name, type, bytes });
    expect(status).to.equal(201);
    return `https://api.example.com/v3/files?path=${body.filename}`;
  };

  describe('Files', () => {
    it('an uploaded PDF and an uploaded DOCX are indexed from the URLs of their uploads', async () => {
      const pdf = await aPdf([[{ kind: 'text', text: sentence }]]);
      const docx = aDocx({ heading: 'Returns', paragraphs: ['Send it back within thirty days.'] });
      const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
      const bodies = [
        { type: 'pdf', name: 'shipping.pdf', source: await upload('shipping.pdf', 'application/pdf', pdf) },
        { type: 'docx', name: 'returns.docx', source: await upload('returns.docx', docxType, docx) },
      ];
      const [first, second] = await Promise.all(
        bodies.map((body) => addContent(fixture.admin, project, { ...body, namespace: project })),
      );
      expect(first).to.include({ content: '', status: -1, type: 'pdf' });
      await runJobs();
      expect((await read(first._id)).status).to.equal(300);
      expect(await chunkTexts(first._id)).to.include('Parcels leave our warehouse');
      expect(await chunkTexts(second._id)).to.include('Send it back within thirty days.');
    });

    it('an upload that has expired, or that another project owns, fails with the reason', async () => {
      const other = await aProject();
      const expired = await upload('a.txt', 'text/plain', sentence);
      await StoredFile.updateMany({ id_project: project, name: 'a.txt' }, { expiresAt: new Date(0) });
      const content = await addContent(fixture.admin, project, {
        ...{ type: 'txt', name: 'a.txt', source: expired, namespace: project },
      });
      expect(content.scrape_type).to.equal(1);
      const foreign = await addContent(other.admin, other.project.id, {
        ...{ type: 'txt', name: 'a.txt', source: expired, namespace: other.project.id },
      });
      await runJobs();
      expect((await read(content._id)).error).to.include({ code: 'FILE_NOT_FOUND' });
      const { error } = (await api(other.admin).get(`/v3/${other.project.id}/kb/${foreign._id}`)).body;
      expect(error?.code).to.not.equal('FILE_NOT_FOUND');
    });

    it('files on other servers are fetched whatever their media type, and a wrong type names the right one', async () => {
      const headers = { 'content-type': 'application/octet-stream' };
      site.pages['/faq.csv'] = { headers, body: 'Question,Answer\nOpen?,At nine.\n' };
      site.pages['/a.pdf'] = { headers, body: await aPdf([[{ kind: 'text', text: sentence }]]) };
      const add = (type: string, path: string) =>
        addContent(fixture.admin, project, { type, name: path, source: site.url(path), namespace: project });
      const [csv, docx] = [await add('csv', '/faq.csv'), await add('docx', '/a.pdf')];
      const inline = await addContent(fixture.admin, project, {
        ...{ type: 'md', name: 'Notes', source: 'notes', content: `# Notes\n\n${sentence}`, namespace: project },
      });
      await runJobs();
      expect(await chunkTexts(csv._id)).to.equal('Question: Open?\nAnswer: At nine.');
      expect((await read(docx._id)).error.message).to.include('use the type pdf');
      expect(await chunkTexts(inline._id)).to.equal(sentence);
    });

    it('scrape options select the text of a page', async () => {
      site.pages['/options'] = `<main><h1>A</h1><p class="ad">Buy now.</p><p>${sentence}</p></main>`;
      const options = { scrape_type: 4, scrape_options: { tags_to_extract: ['main'], unwanted_classnames: ['ad'] } };
      const body = aPageBody(project, { source: site.url('/options'), ...options });
      const content = await addContent(fixture.admin, project, body);
      expect(content).to.deep.include({ ...options, scrape_mode: 'static' });
      await runJobs();
      expect(await chunkTexts(content._id)).to.equal(sentence);
    });
  });

  describe('POST /v3/:project_id/kb/csv', () => {
    const importFaqs = (text: string, fields = {}, namespace = project) =>
      post(`/csv?namespace=${namespace}`, aForm(text, fields));

    it('each row becomes a FAQ with the given tags', async () => {
      const namespace = await aNamespace();
      const text = '\uFEFFWhen do you open?;At nine.\n"Do you ship; abroad?";"Yes,\nto Europe."\n';
      const { status, body } = await importFaqs(text, { tags: '["faq"]' }, namespace);
      expect(status).to.equal(200);
      expect(body).to.have.length(2);
      expect(body[1]).to.deep.include({
        ...{ type: 'faq', name: 'Do you ship; abroad?', source: 'Do you ship; abroad?', status: -1, namespace },
        ...{ content: 'Do you ship; abroad?\nYes,\nto Europe.', tags: ['faq'] },
      });
      const again = await importFaqs('When do you open?|At ten.', { delimiter: '|' }, namespace);
      expect(again.body[0]).to.include({ _id: body[0]._id, content: 'When do you open?\nAt ten.' });
    });

    for (const [defect, text, fields, status, problem] of [
      ['an open quote', '"a;b\n', {}, 400, 'Quote'],
      ['a row without an answer', 'a;b\nc\n', {}, 422, 'line 2 has no answer'],
      ['an empty file', '\n', {}, 422, 'contains no rows'],
      ['a delimiter of two characters', 'a;b', { delimiter: ';;' }, 422, 'delimiter'],
      ['tags that are no JSON array', 'a;b', { tags: 'faq' }, 422, 'tags'],
    ] as const) {
      it(`a file with ${defect} is rejected (${status}), and nothing is added`, async () => {
        const namespace = await aNamespace();
        const reply = await importFaqs(text, fields, namespace);
        expect(reply.status, reply.text).to.equal(status);
        expect(reply.body.error).to.include(problem);
        expect(await KbContent.countDocuments({ id_project: project, namespace })).to.equal(0);
      });
    }

    it('the call requires a namespace (400) that exists (404), and a file (422)', async () => {
      expect((await post('/csv', aForm('a;b'))).status).to.equal(400);
      expect((await importFaqs('a;b', {}, '0'.repeat(24))).status).to.equal(404);
      expect((await post(`/csv?namespace=${project}`, new FormData())).status).to.be.within(400, 422);
    });
  });

  describe('POST /v3/:project_id/kb/multi with a form', () => {
    it('each line of the file is a page, with the options of the form', async () => {
      const namespace = await aNamespace();
      const fields = { tags: '["a","b"]', refresh_rate: 'weekly', scrape_type: '0' };
      const form = aForm('http://127.0.0.1:9/1\r\n\nhttp://127.0.0.1:9/2\n', fields);
      const { status, body } = await post(`/multi?namespace=${namespace}`, form);
      expect(status).to.equal(200);
      expect(body.map(({ source }: { source: string }) => source)).to.deep.equal([
        'http://127.0.0.1:9/1',
        'http://127.0.0.1:9/2',
      ]);
      expect(body[0]).to.deep.include({ tags: ['a', 'b'], refresh_rate: 'weekly', scrape_type: 0 });
      const wrong = await post(`/multi?namespace=${namespace}`, aForm('hours\n'));
      expect([wrong.status, wrong.body.errors[0].path]).to.deep.equal([422, 'list.0']);
    });
  });

  describe('Sitemaps', () => {
    const importSitemap = (namespace: string, more = {}) =>
      post(`/sitemap/import?namespace=${namespace}`, { type: 'sitemap', source: site.url('/sitemap.xml'), ...more });
    const serve = (...names: string[]) => {
      for (const name of names) site.pages[`/${name}`] = page(name);
      site.pages['/sitemap.xml'] = sitemapOf(...names.map((name) => site.url(`/${name}`)));
    };

    it('an import adds the pages, which refer to the sitemap, and then the sitemap itself', async () => {
      const namespace = await aNamespace();
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
      expect((await read(body[1]._id)).status).to.equal(300);
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

    it('scrape/single of a sitemap adds new pages, and removes pages that have left it', async () => {
      const namespace = await aNamespace();
      serve('one', 'two');
      const sitemap = (await importSitemap(namespace)).body.at(-1);
      const text = await addContent(fixture.admin, project, aTextBody(namespace));
      await runJobs();
      serve('two', 'three', 'four');
      const ref = { id: sitemap._id, namespace, type: 'sitemap', source: sitemap.source };
      const { body } = await post('/scrape/single', ref);
      const message = 'Content queued for reindexing';
      expect(body).to.deep.equal({ success: true, message, added_urls: 2, removed_url: 1 });
      expect(await sources(namespace)).to.have.members(['two', 'three', 'four'].map((name) => site.url(`/${name}`)));
      expect((await read(text._id)).status).to.equal(300);
      const unknown = await post('/scrape/single', { ...ref, id: '0'.repeat(24) });
      expect(unknown.status).to.equal(404);
    });

    it('a page is removed after three scheduled refreshes without it, and stays if it returns', async () => {
      const namespace = await aNamespace();
      serve('one', 'two', 'three');
      const sitemap = (await importSitemap(namespace, { refresh_rate: 'daily' })).body.at(-1);
      await runJobs();
      const refresh = async (...names: string[]) => {
        serve(...names);
        await KbContent.updateOne(
          { _id: sitemap._id, id_project: project },
          { last_refresh: new Date(Date.now() - DAY_MS) },
        );
        await queueDueRefreshes();
        await post('', aTextBody(namespace));
        await runJobs();
        return (await sources(namespace)).length;
      };
      expect(await refresh('three')).to.equal(3);
      expect(await refresh('two', 'three')).to.equal(3);
      expect(await refresh('three')).to.equal(2);
      site.pages['/sitemap.xml'] =
        `<sitemapindex><sitemap><loc>${site.url('/gone.xml')}</loc></sitemap></sitemapindex>`;
      expect((await read(sitemap._id)).status).to.equal(300);
      expect(await sources(namespace)).to.have.members([site.url('/two'), site.url('/three')]);
    });

    it('a sitemap with a file that cannot be read removes no page', async () => {
      const namespace = await aNamespace();
      serve('one', 'two');
      const sitemap = (await importSitemap(namespace)).body.at(-1);
      site.pages['/part.xml'] = sitemapOf(site.url('/one'));
      const parts = ['/part.xml', '/gone.xml'].map((part) => `<sitemap><loc>${site.url(part)}</loc></sitemap>`);
      site.pages['/sitemap.xml'] = `<sitemapindex>${parts.join('')}</sitemapindex>`;
      const { body } = await post('/scrape/single', { id: sitemap._id, namespace, type: 'sitemap' });
      expect(body).to.include({ added_urls: 0, removed_url: 0 });
      expect(await sources(namespace)).to.have.length(2);
    });

    it('deleting a sitemap deletes its pages, and no other contents', async () => {
      const namespace = await aNamespace();
      serve('one', 'two');
      const sitemap = (await importSitemap(namespace)).body.at(-1);
      await addContent(fixture.admin, project, aPageBody(namespace));
      await runJobs();
      expect((await api(fixture.admin).delete(`${root}/${sitemap._id}`)).body._id).to.equal(sitemap._id);
      await runJobs();
      expect(await KbContent.countDocuments({ id_project: project, namespace })).to.equal(1);
      expect(await KbChunk.countDocuments({ id_project: project, namespace })).to.equal(0);
    });
  });

  describe('Refresh rates', () => {
    it('contents are queued again when their refresh rate is due, and searched meanwhile', async () => {
      const namespace = await aNamespace();
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
        return Promise.all([daily, weekly, never].map(async ({ _id }) => (await read(_id)).status));
      };
      expect(await statusAfter(0.9)).to.deep.equal([300, 400, 400]);
      expect(await statusAfter(1.1)).to.deep.equal([-1, 400, 400]);
      expect(await KbChunk.countDocuments({ id_project: project, content: daily._id })).to.be.above(0);
      expect(await statusAfter(7.1)).to.deep.equal([-1, -1, 400]);
      await KbContent.deleteMany({ id_project: project, namespace });
    });
  });

  describe('PUT /v3/:project_id/kb/:content_id', () => {
    const put = (id: string, body: object) => api(fixture.admin).put(`${root}/${id}`, body);

    it('the fields of a content are replaced, and its chunks stay until the new ones are ready', async () => {
      const namespace = await aNamespace();
      const body = aTextBody(namespace, { tags: ['old'] });
      const { _id } = await addContent(fixture.admin, project, body);
      await runJobs();
      const changed = await put(_id, { ...body, source: 'other source', content: 'We open at ten.', tags: undefined });
      expect(changed.body).to.include({ _id, source: 'other source', content: 'We open at ten.', status: -1 });
      expect(changed.body).to.not.have.property('tags');
      expect(await chunkTexts(_id)).to.include('nine');
      await runJobs();
      expect(await chunkTexts(_id)).to.equal('We open at ten.');
    });

    it('a content that moves to another namespace leaves no chunks behind', async () => {
      const [from, to] = [await aNamespace(), await aNamespace()];
      const body = aTextBody(from);
      const { _id } = await addContent(fixture.admin, project, body);
      await runJobs();
      const moved = (await put(_id, { ...body, namespace: to })).body;
      expect(moved.namespace).to.equal(to);
      await runJobs();
      expect(await KbChunk.countDocuments({ id_project: project, namespace: from })).to.equal(0);
      expect(await KbChunk.countDocuments({ id_project: project, namespace: to })).to.equal(1);
    });

    it('a change requires a namespace (400), an existing content (404), and a source that is free (409)', async () => {
      const namespace = await aNamespace();
      const [one, two] = [aTextBody(namespace), aTextBody(namespace)];
      const { _id } = await addContent(fixture.admin, project, one);
      await addContent(fixture.admin, project, two);
      const missing = await put(_id, { ...one, namespace: undefined });
      expect([missing.status, missing.body.error]).to.deep.equal([400, "Missing 'namespace' body parameter"]);
      const unknown = await put('0'.repeat(24), one);
      expect([unknown.status, unknown.body.error]).to.deep.equal([
        404,
        'Content not found. Unable to update a non-existing content',
      ]);
      expect((await put(_id, { ...one, source: two.source })).status).to.equal(409);
      const { status, body } = await put(_id, { ...one, type: 'sitemap', source: 'http://a.example/', content: '' });
      expect([status, body.error]).to.satisfy(
        ([code, text]: [number, string]) => code === 422 && text.includes('sitemap'),
      );
    });
  });

  describe('Export and import of a knowledge base', () => {
    it('an exported knowledge base is imported into another one, and its earlier texts are replaced', async () => {
      const [from, to] = [await aNamespace(), await aNamespace()];
      await addContent(fixture.admin, project, aTextBody(from, { source: 'kept', tags: ['t'] }));
      await addContent(
        fixture.admin,
        project,
        aPageBody(from, { refresh_rate: 'weekly', source: 'http://127.0.0.1:9/p' }),
      );
      await addContent(fixture.admin, project, {
        ...{ type: 'md', name: 'Notes', source: 'notes', content: sentence, namespace: from },
      });
      const replaced = await addContent(fixture.admin, project, aTextBody(to, { source: 'replaced' }));
      const kept = await addContent(fixture.admin, project, {
        ...{ type: 'md', name: 'Notes', source: 'notes', content: sentence, namespace: to },
      });
      const exported = await api(fixture.admin).get(`${root}/namespace/export/${from}`);
      expect(exported.headers['content-disposition']).to.equal('attachment; filename="own.json"');
      const file = JSON.parse(exported.text);
      expect(file).to.have.all.keys('name', 'preview_settings', 'contents');
      expect(file.contents.map(({ type }: { type: string }) => type)).to.have.members(['text', 'url']);
      const imported = await post(`/namespace/import/${to}`, file);
      expect(imported.body).to.deep.equal({ success: true, message: 'Contents imported successfully' });
      const contents = await KbContent.find({ id_project: project, namespace: to }).lean();
      expect(contents.map(({ source }) => source)).to.have.members(['kept', 'http://127.0.0.1:9/p', 'notes']);
      expect(contents.find(({ source }) => source === 'kept')).to.deep.include({ tags: ['t'], status: -1 });
      expect((await api(fixture.admin).get(`${root}/${replaced._id}`)).status).to.equal(404);
      expect((await read(kept._id))._id).to.equal(kept._id);
    });

    it('a form with the file is accepted, and a file without contents is rejected (400), an invalid one named (422)', async () => {
      const to = await aNamespace();
      const form = aForm(JSON.stringify({ contents: [{ type: 'faq', name: 'a', source: 'a', content: 'a\nb' }] }));
      expect((await post(`/namespace/import/${to}`, form)).body.success).to.equal(true);
      const without = await post(`/namespace/import/${to}`, { name: 'x' });
      expect([without.status, without.body.error]).to.deep.equal([
        400,
        'Imported json must contain the contents array',
      ]);
      const typed = await post(`/namespace/import/${to}`, { contents: {} });
      expect([typed.status, typed.body.error]).to.deep.equal([400, 'The content field must be of type Array[]']);
      const wrong = await post(`/namespace/import/${to}`, { contents: [{ type: 'url', name: 'a', source: 'a' }] });
      expect([wrong.status, wrong.body.errors[0].path]).to.deep.equal([422, '0.source']);
      expect(await KbContent.countDocuments({ id_project: project, namespace: to })).to.equal(1);
    });
  });
});
