import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { KbContent } from '#shared/models/kb-content.ts';
import { api } from '../support/api.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { aProject } from '../support/people.ts';

type ProjectFixture = Awaited<ReturnType<typeof aProject>>;

const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const urlset = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset ${XMLNS}>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
const indexOf = (...urls: string[]) =>
  `<sitemapindex ${XMLNS}>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

describe('POST /v3/:project_id/kb/sitemap', () => {
  let fixture: ProjectFixture;
  let site: Awaited<ReturnType<typeof aSite>>;

  before(async () => {
    [fixture, site] = await Promise.all([aProject(), aSite()]);
  });
  after(() => site.close());

  const convertSitemap = (sitemap: unknown) =>
    api(fixture.admin).post(`/v3/${fixture.project.id}/kb/sitemap`, { sitemap });
  const convertServed = async (page: FakePage, path = '/sitemap.xml') => {
    site.pages[path] = page;
    return (await convertSitemap(site.url(path))).body;
  };

  it('the pages of a sitemap are returned, and not added as contents', async () => {
    const url = site.url('/sitemap.xml');
    const sites = ['http://a.example/', 'http://a.example/b?x=1&y=2'];
    const body = await convertServed(urlset(sites[0] as string, 'http://a.example/b?x=1&amp;y=2'));
    expect(body).to.deep.equal({ url, sites, errors: [] });
    expect(await KbContent.countDocuments({ id_project: fixture.project.id })).to.equal(0);
  });

  it('a gzipped sitemap is recognized by its content', async () => {
    const body = gzipSync(urlset('http://a.example/zipped'));
    const file = { body, headers: { 'content-type': 'application/octet-stream' } };
    expect((await convertServed(file, '/sitemap.xml.gz')).sites).to.deep.equal(['http://a.example/zipped']);
    expect((await convertServed(file, '/plain-name')).sites).to.deep.equal(['http://a.example/zipped']);
  });

  it('a sitemap index returns the pages of its sitemaps, and lists each sitemap that fails in `errors`', async () => {
    site.pages['/one.xml'] = urlset('http://a.example/1', 'http://a.example/2');
    site.pages['/two.xml.gz'] = { body: gzipSync(urlset('http://a.example/3', 'http://a.example/1')) };
    site.pages['/nested.xml'] = indexOf(site.url('/three.xml'), site.url('/gone.xml'));
    site.pages['/three.xml'] = urlset('http://a.example/4');
    const names = ['/one.xml', '/two.xml.gz', '/nested.xml', '/missing.xml'].map(site.url);
    const { sites, errors } = await convertServed(indexOf(...names), '/index.xml');
    expect(sites).to.have.members([1, 2, 3, 4].map((page) => `http://a.example/${page}`));
    expect(errors.map(({ url }: { url: string }) => url)).to.have.members([
      site.url('/missing.xml'),
      site.url('/gone.xml'),
    ]);
    for (const { type, message, retries } of errors) {
      expect([type, retries]).to.deep.equal(['HTTPError', 0]);
      expect(message).to.include('404');
    }
  });

  it('the pages of a truncated sitemap are returned, and the sitemap is listed in `errors`', async () => {
    const { sites, errors } = await convertServed('<urlset><url><loc>http://a.example/1</loc></url><url>', '/half.xml');
    expect(sites).to.deep.equal(['http://a.example/1']);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include({ type: 'UnknownStateError', url: site.url('/half.xml'), retries: 0 });
    expect(errors[0].message).to.match(/^SITEMAP_BROKEN: /);
  });

  it('a sitemap index that refers to itself is read at most four times', async () => {
    const { sites, errors } = await convertServed(indexOf(site.url('/loop.xml')), '/loop.xml');
    expect(sites).to.deep.equal([]);
    expect(errors.length).to.be.within(0, 1);
    expect(site.hits.get('/loop.xml')).to.be.at.most(4);
  });

  const failures: [string, FakePage, string][] = [
    ['an HTML page instead of a sitemap', '<!doctype html><html><body>Not found</body></html>', 'UnknownStateError'],
    ['a truncated gzip file', { body: gzipSync('<urlset/>').subarray(0, 12) }, 'UnknownStateError'],
    ['a sitemap whose server returns 500', { status: 500, body: 'oops' }, 'HTTPError'],
    ['an endless redirect', { status: 302, headers: { location: '/again' } }, 'RequestError'],
  ];
  for (const [defect, page, type] of failures) {
    it(`${defect} returns an error and no pages`, async () => {
      site.pages['/again'] = { status: 302, headers: { location: '/again' } };
      const { sites, errors } = await convertServed(page, '/failing.xml');
      expect(sites).to.deep.equal([]);
      expect(errors[0]).to.include({ type, url: site.url('/failing.xml'), retries: 0 });
    });
  }

  it('a sitemap with a DOCTYPE is rejected without expanding or reading an entity', async () => {
    site.pages['/secret'] = 'canary';
    const withDeclaration = (subset: string, loc: string) => `<!DOCTYPE urlset [${subset}]>${urlset(loc)}`;
    const files = [
      withDeclaration('<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">', 'http://a.example/&b;'),
      withDeclaration(`<!ENTITY x SYSTEM "${site.url('/secret')}">`, 'http://a.example/&x;'),
      withDeclaration('<!ENTITY x SYSTEM "file:///etc/hostname">', 'http://a.example/&x;'),
      withDeclaration(`<!ENTITY % p SYSTEM "${site.url('/secret')}"> %p;`, 'http://a.example/'),
    ];
    for (const file of files) {
      const { sites, errors } = await convertServed(file, '/declared.xml');
      expect([sites, errors.length]).to.deep.equal([[], 1]);
    }
    expect(site.hits.has('/secret')).to.equal(false);
  });

  it('a sitemap returns at most 50,000 pages, and `errors` reports that more exist', async () => {
    const pages = Array.from({ length: 50_001 }, (_, index) => `http://a.example/${index}`);
    const largest = await convertServed(urlset(...pages.slice(1)), '/large.xml');
    expect([largest.sites.length, largest.errors]).to.deep.equal([50_000, []]);
    const cut = await convertServed(urlset(...pages), '/larger.xml');
    expect(cut.sites).to.have.lengthOf(50_000);
    expect(cut.errors[0].message).to.include('50000');
  });

  it('a sitemap at a private address, or with a scheme other than http or https, is not read, and is listed in `errors`', async () => {
    for (const target of ['http://169.254.169.254/sitemap.xml', 'http://[::1]:22/', 'http://127.0.0.1:22/']) {
      const { status, body } = await convertSitemap(target);
      expect([status, body.sites, body.errors.length]).to.deep.equal([200, [], 1]);
    }
    const nested = await convertServed(indexOf('http://169.254.169.254/', 'file:///etc/passwd'), '/nested-private.xml');
    expect([nested.sites, nested.errors.length]).to.deep.equal([[], 2]);
  });

  it('for a malformed or missing sitemap address, `errors` contains a TypeError', async () => {
    for (const sitemap of ['nonsense', '', undefined, 'file:///etc/passwd']) {
      const { status, body } = await convertSitemap(sitemap);
      expect([status, body.sites, body.errors[0].type]).to.deep.equal([200, [], 'TypeError']);
    }
    expect((await convertSitemap({ $ne: '' })).status).to.equal(422);
  });
});
