import { expect } from 'chai';
import { KbContent } from '#shared/models/kb-content.ts';
import { queues } from '#shared/queue.ts';
import { api } from '../support/api.ts';
import { commandsDuring } from '../support/commands.ts';
import { aPage, aText, added } from '../support/contents.ts';
import { aSite } from '../support/fake-site.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

type World = Awaited<ReturnType<typeof aProject>>;
type Named = { source: string; _id: string };

const UNKNOWN = '0'.repeat(24);
const jobsWaiting = async (): Promise<number> => {
  const counts = await Promise.all(
    queues()
      .filter(({ name }) => name !== 'events')
      .map((queue) => queue.getJobCountByTypes('waiting', 'delayed', 'prioritized')),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

describe('Contents of knowledge bases', () => {
  let world: World;
  let other: World;
  let pid: string;
  let root: string;

  before(async () => {
    [world, other] = await Promise.all([aProject(), aProject()]);
    pid = world.project.id;
    root = `/v3/${pid}/kb`;
  });

  const aNamespace = async ({ admin, project } = world): Promise<string> =>
    (await api(admin).post(`/v3/${project.id}/kb/namespace`, { name: 'Own' })).body.id;

  describe('adding one', () => {
    it('answers the upsert and the content as it waits', async () => {
      const body = aText(pid, { tags: ['a', 'b'], scrape_type: 0 });
      const first = (await api(world.admin).post(`${root}/`, body)).body;
      expect(first.lastErrorObject).to.deep.equal({ n: 1, updatedExisting: false, upserted: first.value._id });
      expect(first.value).to.deep.include({ ...body, id_project: pid, status: -1 });
      const page = await added(world.admin, pid, aPage(pid));
      expect(page).to.include({ content: '', refresh_rate: 'never', status: -1 });
      expect(page).to.not.have.any.keys('scrape_type', 'tags', 'attempts', 'failures', 'due');
    });

    it('is an upsert by namespace, type and source, that starts over with new options', async () => {
      const [own, body] = [await aNamespace(), aText(pid, { tags: ['old'] })];
      const first = await added(world.admin, pid, body);
      await runJobs();
      const again = (
        await api(world.admin).post(root, { ...body, name: 'New', content: 'Other words.', tags: undefined })
      ).body;
      expect(again.lastErrorObject).to.deep.equal({ n: 1, updatedExisting: true });
      expect(again.value).to.include({ _id: first._id, name: 'New', content: 'Other words.', status: -1 });
      expect(again.value).to.not.have.property('tags');
      const others = [{ namespace: own }, { type: 'faq' }, { source: `${body.source}.` }];
      const ids = await Promise.all(
        others.map(async (more) => (await added(world.admin, pid, { ...body, ...more }))._id),
      );
      expect(new Set([first._id, ...ids]).size).to.equal(4);
      expect((await api(world.admin).get(`${root}/${first._id}`)).body.namespace).to.equal(pid);
    });

    it('makes one content of twenty equal calls at once', async () => {
      const body = aText(pid);
      const replies = await Promise.all(Array.from({ length: 20 }, () => api(world.admin).post(root, body)));
      expect(new Set(replies.map(({ body }) => body.value._id)).size).to.equal(1);
      expect(replies.filter(({ body }) => !body.lastErrorObject.updatedExisting)).to.have.lengthOf(1);
    });

    it('names a page after its address', async () => {
      const { name, ...nameless } = aPage(pid);
      expect((await added(world.admin, pid, nameless)).name).to.equal(nameless.source);
      expect((await added(world.admin, pid, { ...nameless, name })).name).to.equal(name);
    });

    it('asks for the namespace (400), and knows only those of the project (404)', async () => {
      const missing = await api(world.admin).post(root, aText(pid, { namespace: undefined }));
      expect([missing.status, missing.body.error]).to.deep.equal([400, "parameter 'namespace' is not defined"]);
      for (const namespace of [UNKNOWN, await aNamespace(other), other.project.id]) {
        const { status, body } = await api(world.admin).post(root, aText(namespace));
        expect([status, body.error]).to.deep.equal([404, `Namespace not found with id ${namespace}`]);
      }
    });

    const refused: [string, object, string][] = [
      ['a type that is not read yet', { type: 'pdf' }, 'type'],
      ['no type', { type: undefined }, 'type'],
      ['a text without content', { type: 'text', content: '' }, 'content'],
      ['a page with content', { content: 'words' }, 'content'],
      ['a scheme that is not of the web', { source: 'file:///etc/passwd' }, 'source'],
      ['a source that is no address', { source: 'hours' }, 'source'],
      ['the browser', { scrape_type: 3 }, 'scrape_type'],
      ['selectors', { scrape_type: 5 }, 'scrape_type'],
      ['options of scraping', { scrape_options: { tags_to_extract: ['body'] } }, 'scrape_options'],
      ['a rhythm', { refresh_rate: 'daily' }, 'refresh_rate'],
      ['written context', { situated_context: true }, 'situated_context'],
      ['a pattern', { chunk_regex: '(a+)+$' }, 'chunk_regex'],
      ['a tag that is no text', { tags: [{ $ne: 1 }] }, 'tags.0'],
      ['too many tags', { tags: Array(51).fill('t') }, 'tags'],
      ['a long name', { name: 'n'.repeat(1001) }, 'name'],
      ['a long source', { source: `http://a.example/${'s'.repeat(4096)}` }, 'source'],
    ];
    for (const [what, more, field] of refused) {
      it(`refuses ${what} and names the field (422)`, async () => {
        const { status, body } = await api(world.admin).post(root, aPage(pid, more));
        expect(status).to.equal(422);
        expect(body.errors[0]).to.include({ path: field, param: field, location: 'body' });
      });
    }

    it('takes options that are off, and fields that nobody knows', async () => {
      const off = {
        scrape_options: null,
        situated_context: false,
        chunk_regex: '',
        tags: null,
        refresh_rate: 'never',
        extra: 1,
      };
      expect((await api(world.admin).post(root, aPage(pid, off))).status).to.equal(200);
    });
  });

  describe('adding many', () => {
    const multi = (namespace: string, body: object) =>
      api(world.admin).post(`${root}/multi?namespace=${namespace}`, body);
    const sources = (length: number) => Array.from({ length }, (_, at) => `http://127.0.0.1:9/${at}`);

    it('answers the pages once each in their order, with the options given', async () => {
      const namespace = await aNamespace();
      const [a, b, c] = sources(3);
      const { status, body } = await multi(namespace, { list: [b, a, b, ` ${c} `, a], tags: ['t'], scrape_type: 2 });
      expect(status).to.equal(200);
      expect(body.map(({ source }: Named) => source)).to.deep.equal([b, a, c]);
      for (const page of body) {
        expect(page).to.deep.include({ namespace, type: 'url', name: page.source, content: '', status: -1 });
        expect(page).to.deep.include({ tags: ['t'], scrape_type: 2, refresh_rate: 'never' });
      }
      const again = await multi(namespace, { list: [a, c] });
      expect(again.body.map(({ _id }: Named) => _id)).to.deep.equal([body[1]._id, body[2]._id]);
      expect(await KbContent.countDocuments({ id_project: pid, namespace })).to.equal(3);
    });

    it('takes 10,000 in a few writes and one nudge, and not one more (F13)', async function () {
      this.timeout(30_000);
      const namespace = await aNamespace();
      await runJobs();
      let reply: Awaited<ReturnType<typeof multi>> | undefined;
      const commands = await commandsDuring(async () => {
        reply = await multi(namespace, { list: sources(10_000) });
      });
      expect(reply?.body).to.have.lengthOf(10_000);
      expect(await KbContent.countDocuments({ id_project: pid, namespace, status: -1 })).to.equal(10_000);
      expect(commands.length).to.be.lessThan(60);
      expect(await jobsWaiting()).to.equal(1);
      const tooMany = await multi(namespace, { list: sources(10_001) });
      expect(tooMany.status).to.equal(403);
      expect(tooMany.body.error).to.equal("Too many urls. Can't index more than 10000 urls at a time.");
      await KbContent.deleteMany({ id_project: pid, namespace });
    });

    it('asks for the namespace in the query and for a list (400), and for addresses (422)', async () => {
      const nowhere = await api(world.admin).post(`${root}/multi`, { list: sources(1) });
      expect([nowhere.status, nowhere.body.error]).to.deep.equal([400, "queryParam 'namespace' is not defined"]);
      expect((await multi(pid, {})).status).to.equal(400);
      for (const list of [[], 'http://a.example/', [1], ['ftp://a.example/'], [null]])
        expect((await multi(pid, { list })).status, JSON.stringify(list)).to.equal(422);
      expect((await multi(other.project.id, { list: sources(1) })).status).to.equal(404);
      expect((await multi(pid, { list: sources(1), refresh_rate: 'daily' })).body.errors[0].path).to.equal(
        'refresh_rate',
      );
    });
  });

  describe('one of them', () => {
    it('is read, and not by another project nor from it (A1)', async () => {
      const mine = await added(world.admin, pid, aText(pid));
      expect((await api(world.admin).get(`${root}/${mine._id}`)).body).to.deep.equal(mine);
      const theirs = await added(other.admin, other.project.id, aText(other.project.id));
      for (const id of [theirs._id, UNKNOWN, 'x']) {
        const read = await api(world.admin).get(`${root}/${id}`);
        expect([read.status, read.body.error]).to.deep.equal([
          404,
          `Content not found with id ${id} for project ${pid}`,
        ]);
        const removed = await api(world.admin).delete(`${root}/${id}`);
        expect([removed.status, removed.body.error]).to.deep.equal([404, 'Content not found']);
        const single = await api(world.admin).post(`${root}/scrape/single`, { id, namespace: pid });
        expect([single.status, single.body.error]).to.deep.equal([404, 'Unable to find the kb requested']);
        expect((await api(world.admin).post(`${root}/scrape/status`, { id, namespace: pid })).status).to.equal(404);
      }
      expect((await api(other.admin).get(`/v3/${other.project.id}/kb/${theirs._id}`)).status).to.equal(200);
    });

    it('is deleted by DELETE and by POST, once', async () => {
      for (const method of ['DELETE', 'POST'] as const) {
        const { _id } = await added(world.admin, pid, aText(pid));
        const { status, body } = await api(world.admin).call(method, `${root}/${_id}`);
        expect([status, body._id]).to.deep.equal([200, _id]);
        expect((await api(world.admin).call(method, `${root}/${_id}`)).status).to.equal(404);
      }
    });

    it('tells polling clients how far it is', async () => {
      const site = await aSite({ '/page': '<h1>Hours</h1><p>We open at nine in the morning.</p>' });
      const page = await added(world.admin, pid, aPage(pid, { source: site.url('/page') }));
      const ask = (query = '', more = {}) =>
        api(world.admin).post(`${root}/scrape/status${query}`, { id: page._id, namespace: pid, ...more });
      expect((await ask()).body).to.deep.equal({ status_message: 'queued', status_code: 0, queue_order: -1 });
      await runJobs();
      expect((await ask()).body).to.deep.equal({ status_message: 'indexed', status_code: 3, queue_order: -1 });
      expect((await ask('?returnObject=true')).body).to.include({ _id: page._id, status: 300 });
      expect((await ask('', { namespace: await aNamespace() })).status).to.equal(404);
      expect((await ask('', { namespace: '' })).body.error).to.equal("parameter 'namespace' is not defined");
      site.pages['/page'] = { status: 410 };
      const again = await api(world.admin).post(`${root}/scrape/single`, { id: page._id, namespace: pid });
      expect(again.body).to.deep.equal({ success: true, message: 'Content queued for reindexing' });
      await runJobs();
      expect((await ask()).body.status_code).to.equal(4);
      expect((await ask()).body.status_message).to.include('410');
      await site.close();
    });
  });
});
