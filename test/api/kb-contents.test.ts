import { expect } from 'chai';
import { KbContent } from '#shared/models/kb-content.ts';
import { queues } from '#shared/queue/queue.ts';
import { api } from '../support/api.ts';
import { addContent, aPageBody, aTextBody } from '../support/content-bodies.ts';
import { aSite } from '../support/fake-site.ts';
import { commandsDuring } from '../support/mongo-commands.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;
type ContentSource = { source: string; _id: string };

const UNKNOWN_ID = '0'.repeat(24);
/** Counts the queued wake-ups of one project only, because other test files may have left jobs in the same queues. */
const countWakeUps = async (project: string): Promise<number> => {
  const jobs = await Promise.all(queues().map((queue) => queue.getJobs(['waiting', 'delayed', 'prioritized'])));
  return jobs.flat().filter(({ name, data }) => name === 'kb.index-contents' && data.payload.id_project === project)
    .length;
};

describe('Contents of knowledge bases', () => {
  let fixture: ProjectFixture;
  let other: ProjectFixture;
  let projectId: string;
  let root: string;

  before(async () => {
    [fixture, other] = await Promise.all([aProject(), aProject()]);
    projectId = fixture.project.id;
    root = `/v3/${projectId}/kb`;
  });

  const aNamespace = async ({ admin, project } = fixture): Promise<string> =>
    (await api(admin).post(`/v3/${project.id}/kb/namespace`, { name: 'Own' })).body.id;

  describe('Adding a content', () => {
    it('adding a content returns the result of the upsert and the queued content', async () => {
      const body = aTextBody(projectId, { tags: ['a', 'b'], scrape_type: 0 });
      const first = (await api(fixture.admin).post(`${root}/`, body)).body;
      expect(first.lastErrorObject).to.deep.equal({ n: 1, updatedExisting: false, upserted: first.value._id });
      expect(first.value).to.deep.include({ ...body, id_project: projectId, status: -1 });
      const page = await addContent(fixture.admin, projectId, aPageBody(projectId));
      expect(page).to.include({
        content: '',
        refresh_rate: 'never',
        status: -1,
        scrape_type: 2,
        scrape_mode: 'static',
      });
      expect(page.scrape_options).to.deep.equal({
        tags_to_extract: ['body'],
        unwanted_tags: [],
        unwanted_classnames: [],
      });
      expect(page).to.not.have.any.keys('tags', 'attemptIds', 'failures', 'nextAttemptAt');
    });

    it('adding a content again with the same namespace, type and source restarts its indexing with the new options', async () => {
      const [otherNamespace, body] = [await aNamespace(), aTextBody(projectId, { tags: ['old'] })];
      const first = await addContent(fixture.admin, projectId, body);
      await runJobs();
      const again = (
        await api(fixture.admin).post(root, { ...body, name: 'New', content: 'Other words.', tags: undefined })
      ).body;
      expect(again.lastErrorObject).to.deep.equal({ n: 1, updatedExisting: true });
      expect(again.value).to.include({ _id: first._id, name: 'New', content: 'Other words.', status: -1 });
      expect(again.value).to.not.have.property('tags');
      const others = [{ namespace: otherNamespace }, { type: 'faq' }, { source: `${body.source}.` }];
      const ids = await Promise.all(
        others.map(async (more) => (await addContent(fixture.admin, projectId, { ...body, ...more }))._id),
      );
      expect(new Set([first._id, ...ids]).size).to.equal(4);
      expect((await api(fixture.admin).get(`${root}/${first._id}`)).body.namespace).to.equal(projectId);
    });

    it('twenty identical concurrent calls create one content', async () => {
      const body = aTextBody(projectId);
      const replies = await Promise.all(Array.from({ length: 20 }, () => api(fixture.admin).post(root, body)));
      expect(new Set(replies.map(({ body }) => body.value._id)).size).to.equal(1);
      expect(replies.filter(({ body }) => !body.lastErrorObject.updatedExisting)).to.have.lengthOf(1);
    });

    it('a page without a name has its address as its name', async () => {
      const { name, ...nameless } = aPageBody(projectId);
      expect((await addContent(fixture.admin, projectId, nameless)).name).to.equal(nameless.source);
      expect((await addContent(fixture.admin, projectId, { ...nameless, name })).name).to.equal(name);
    });

    it('adding a content requires a namespace (400) that belongs to the project (404)', async () => {
      const missing = await api(fixture.admin).post(root, aTextBody(projectId, { namespace: undefined }));
      expect([missing.status, missing.body.error]).to.deep.equal([400, "parameter 'namespace' is not defined"]);
      for (const namespace of [UNKNOWN_ID, await aNamespace(other), other.project.id]) {
        const { status, body } = await api(fixture.admin).post(root, aTextBody(namespace));
        expect([status, body.error]).to.deep.equal([404, `Namespace not found with id ${namespace}`]);
      }
    });

    const refused: [string, object, string][] = [
      ['an unsupported type', { type: 'xlsx' }, 'type'],
      ['the type sitemap (only an import adds sitemaps)', { type: 'sitemap' }, 'type'],
      ['the type pdf and a source that is not a URL', { type: 'pdf', source: 'handbook.pdf' }, 'source'],
      ['the type pdf and a text in `content`', { type: 'pdf', content: 'words' }, 'content'],
      ['the type regex_custom without a pattern', { type: 'regex_custom' }, 'chunk_regex'],
      ['no type', { type: undefined }, 'type'],
      ['the type text and an empty `content`', { type: 'text', content: '' }, 'content'],
      ['the type url and a text in `content`', { content: 'words' }, 'content'],
      ['a source whose scheme is neither http nor https', { source: 'file:///etc/passwd' }, 'source'],
      ['a source that is not a URL', { source: 'hours' }, 'source'],
      ['an unknown scrape type', { scrape_type: 6 }, 'scrape_type'],
      [
        'scrape options that are not lists',
        { scrape_options: { tags_to_extract: 'body' } },
        'scrape_options.tags_to_extract',
      ],
      ['an unknown refresh rate', { refresh_rate: 'hourly' }, 'refresh_rate'],
      ['situated_context without a chat model', { situated_context: true }, 'situated_context'],
      ['a `chunk_regex` and a type other than regex_custom', { chunk_regex: '(a+)+$' }, 'chunk_regex'],
      ['a tag that is not a string', { tags: [{ $ne: 1 }] }, 'tags.0'],
      ['too many tags', { tags: Array(51).fill('t') }, 'tags'],
      ['a name that is too long', { name: 'n'.repeat(1001) }, 'name'],
      ['a source that is too long', { source: `http://a.example/${'s'.repeat(4096)}` }, 'source'],
    ];
    for (const [defect, more, field] of refused) {
      it(`a content with ${defect} is rejected (422) with an error that names the field`, async () => {
        const { status, body } = await api(fixture.admin).post(root, aPageBody(projectId, more));
        expect(status).to.equal(422);
        expect(body.errors[0]).to.include({ path: field, param: field, location: 'body' });
      });
    }

    it('a call that adds a content accepts options that are switched off, and unknown fields', async () => {
      const off = {
        scrape_options: null,
        situated_context: false,
        chunk_regex: '',
        tags: null,
        refresh_rate: 'never',
        extra: 1,
      };
      expect((await api(fixture.admin).post(root, aPageBody(projectId, off))).status).to.equal(200);
    });
  });

  describe('Adding many contents', () => {
    const multi = (namespace: string, body: object) =>
      api(fixture.admin).post(`${root}/multi?namespace=${namespace}`, body);
    const sources = (length: number) => Array.from({ length }, (_, index) => `http://127.0.0.1:9/${index}`);

    it('adding many pages returns each page once in the given order, with the given options', async () => {
      const namespace = await aNamespace();
      const [a, b, c] = sources(3);
      const { status, body } = await multi(namespace, { list: [b, a, b, ` ${c} `, a], tags: ['t'], scrape_type: 2 });
      expect(status).to.equal(200);
      expect(body.map(({ source }: ContentSource) => source)).to.deep.equal([b, a, c]);
      for (const page of body) {
        expect(page).to.deep.include({ namespace, type: 'url', name: page.source, content: '', status: -1 });
        expect(page).to.deep.include({ tags: ['t'], scrape_type: 2, refresh_rate: 'never' });
      }
      const again = await multi(namespace, { list: [a, c] });
      expect(again.body.map(({ _id }: ContentSource) => _id)).to.deep.equal([body[1]._id, body[2]._id]);
      expect(await KbContent.countDocuments({ id_project: projectId, namespace })).to.equal(3);
    });

    it('adding 10,000 URLs, which name 2,000 pages five times each, takes fewer than 20 MongoDB commands and one wake-up, and 10,001 URLs are rejected (403)', async () => {
      const namespace = await aNamespace();
      const pages = sources(2000);
      await runJobs();
      let reply: Awaited<ReturnType<typeof multi>> | undefined;
      const commands = await commandsDuring(async () => {
        reply = await multi(namespace, { list: [pages, pages, pages, pages, pages].flat() });
      });
      expect(reply?.body).to.have.lengthOf(2000);
      expect(await KbContent.countDocuments({ id_project: projectId, namespace, status: -1 })).to.equal(2000);
      expect(commands.length).to.be.lessThan(20);
      expect(await countWakeUps(projectId)).to.equal(1);
      const tooMany = await multi(namespace, { list: sources(10_001) });
      expect(tooMany.status).to.equal(403);
      expect(tooMany.body.error).to.equal("Too many urls. Can't index more than 10000 urls at a time.");
      await KbContent.deleteMany({ id_project: projectId, namespace });
    });

    it('adding many pages requires a namespace and a list of pages (400), and valid addresses (422)', async () => {
      const missing = await api(fixture.admin).post(`${root}/multi`, { list: sources(1) });
      expect([missing.status, missing.body.error]).to.deep.equal([400, "queryParam 'namespace' is not defined"]);
      expect((await multi(projectId, {})).status).to.equal(400);
      for (const list of [[], 'http://a.example/', [1], ['ftp://a.example/'], [null]])
        expect((await multi(projectId, { list })).status, JSON.stringify(list)).to.equal(422);
      expect((await multi(other.project.id, { list: sources(1) })).status).to.equal(404);
      expect((await multi(projectId, { list: sources(1), refresh_rate: 'hourly' })).body.errors[0].path).to.equal(
        'refresh_rate',
      );
    });
  });

  describe('One content', () => {
    it('a content can be read in its own project, and calls for a foreign or unknown content return 404', async () => {
      const content = await addContent(fixture.admin, projectId, aTextBody(projectId));
      expect((await api(fixture.admin).get(`${root}/${content._id}`)).body).to.deep.equal(content);
      const foreign = await addContent(other.admin, other.project.id, aTextBody(other.project.id));
      for (const id of [foreign._id, UNKNOWN_ID, 'x']) {
        const read = await api(fixture.admin).get(`${root}/${id}`);
        expect([read.status, read.body.error]).to.deep.equal([
          404,
          `Content not found with id ${id} for project ${projectId}`,
        ]);
        const removed = await api(fixture.admin).delete(`${root}/${id}`);
        expect([removed.status, removed.body.error]).to.deep.equal([404, 'Content not found']);
        const single = await api(fixture.admin).post(`${root}/scrape/single`, { id, namespace: projectId });
        expect([single.status, single.body.error]).to.deep.equal([404, 'Unable to find the kb requested']);
        expect((await api(fixture.admin).post(`${root}/scrape/status`, { id, namespace: projectId })).status).to.equal(
          404,
        );
      }
      expect((await api(other.admin).get(`/v3/${other.project.id}/kb/${foreign._id}`)).status).to.equal(200);
    });

    it('a content is deleted by DELETE or POST, and deleting it again returns 404', async () => {
      for (const method of ['DELETE', 'POST'] as const) {
        const { _id } = await addContent(fixture.admin, projectId, aTextBody(projectId));
        const { status, body } = await api(fixture.admin).call(method, `${root}/${_id}`);
        expect([status, body._id]).to.deep.equal([200, _id]);
        expect((await api(fixture.admin).call(method, `${root}/${_id}`)).status).to.equal(404);
      }
    });

    it('scrape/status reports the progress of a content to polling clients', async () => {
      const site = await aSite({ '/page': '<h1>Hours</h1><p>We open at nine in the morning.</p>' });
      const page = await addContent(fixture.admin, projectId, aPageBody(projectId, { source: site.url('/page') }));
      const getStatus = (query = '', more = {}) =>
        api(fixture.admin).post(`${root}/scrape/status${query}`, { id: page._id, namespace: projectId, ...more });
      expect((await getStatus()).body).to.deep.equal({ status_message: 'queued', status_code: 0, queue_order: -1 });
      await runJobs();
      expect((await getStatus()).body).to.deep.equal({ status_message: 'indexed', status_code: 3, queue_order: -1 });
      expect((await getStatus('?returnObject=true')).body).to.include({ _id: page._id, status: 300 });
      expect((await getStatus('', { namespace: await aNamespace() })).status).to.equal(404);
      expect((await getStatus('', { namespace: '' })).body.error).to.equal("parameter 'namespace' is not defined");
      site.pages['/page'] = { status: 410 };
      const again = await api(fixture.admin).post(`${root}/scrape/single`, { id: page._id, namespace: projectId });
      expect(again.body).to.deep.equal({ success: true, message: 'Content queued for reindexing' });
      await runJobs();
      expect((await getStatus()).body.status_code).to.equal(4);
      expect((await getStatus()).body.status_message).to.include('410');
      await site.close();
    });
  });
});
