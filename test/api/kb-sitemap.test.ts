import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { KbContent } from '#shared/models/kb-content.ts';
import { api } from '../support/api.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { aProject } from '../support/people.ts';

type World = Awaited<ReturnType<typeof aProject>>;

const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const urlset = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset ${XMLNS}>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
const indexOf = (...urls: string[]) =>
  `<sitemapindex ${XMLNS}>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

describe('POST /v3/:project_id/kb/sitemap', () => {
  let world: World;
  let site: Awaited<ReturnType<typeof aSite>>;

  before(async () => {
    [world, site] = await Promise.all([aProject(), aSite()]);
  });
  after(() => site.close());

  const convert = (sitemap: unknown) => api(world.admin).post(`/v3/${world.project.id}/kb/sitemap`, { sitemap });
  const served = async (page: FakePage, path = '/sitemap.xml') => {
    site.pages[path] = page;
    return (await convert(site.url(path))).body;
  };

  it('lists the pages of a sitemap, and adds nothing', async () => {
    const url = site.url('/sitemap.xml');
    const sites = ['http://a.example/', 'http://a.example/b?x=1&y=2'];
    const body = await served(urlset(sites[0] as string, 'http://a.example/b?x=1&amp;y=2'));
    expect(body).to.deep.equal({ url, sites, errors: [] });
    expect(await KbContent.countDocuments({ id_project: world.project.id })).to.equal(0);
  });

  it('reads a gzip file by what is in it', async () => {
    const body = gzipSync(urlset('http://a.example/zipped'));
    const file = { body, headers: { 'content-type': 'application/octet-stream' } };
    expect((await served(file, '/sitemap.xml.gz')).sites).to.deep.equal(['http://a.example/zipped']);
    expect((await served(file, '/plain-name')).sites).to.deep.equal(['http://a.example/zipped']);
  });

  it('follows index files; one that fails costs its own pages only, and says why', async () => {
    site.pages['/one.xml'] = urlset('http://a.example/1', 'http://a.example/2');
    site.pages['/two.xml.gz'] = { body: gzipSync(urlset('http://a.example/3', 'http://a.example/1')) };
    site.pages['/nested.xml'] = indexOf(site.url('/three.xml'), site.url('/gone.xml'));
    site.pages['/three.xml'] = urlset('http://a.example/4');
    const names = ['/one.xml', '/two.xml.gz', '/nested.xml', '/missing.xml'].map(site.url);
    const { sites, errors } = await served(indexOf(...names), '/index.xml');
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

  it('ends where an index leads back to itself', async () => {
    const { sites, errors } = await served(indexOf(site.url('/loop.xml')), '/loop.xml');
    expect(sites).to.deep.equal([]);
    expect(errors.length).to.be.within(0, 1);
    expect(site.hits.get('/loop.xml')).to.be.at.most(4);
  });

  const failures: [string, FakePage, string][] = [
    ['a page that is none', '<!doctype html><html><body>Not found</body></html>', 'UnknownStateError'],
    ['damaged gzip data', { body: gzipSync('<urlset/>').subarray(0, 12) }, 'UnknownStateError'],
    ['an error of the site', { status: 500, body: 'oops' }, 'HTTPError'],
    ['a redirect without end', { status: 302, headers: { location: '/again' } }, 'RequestError'],
  ];
  for (const [what, page, type] of failures) {
    it(`answers ${what} with a true error and no pages`, async () => {
      site.pages['/again'] = { status: 302, headers: { location: '/again' } };
      const { sites, errors } = await served(page, '/failing.xml');
      expect(sites).to.deep.equal([]);
      expect(errors[0]).to.include({ type, url: site.url('/failing.xml'), retries: 0 });
    });
  }

  it('expands nothing and reads nothing that a DOCTYPE asks for (F15)', async () => {
    site.pages['/secret'] = 'canary';
    const declared = (subset: string, loc: string) => `<!DOCTYPE urlset [${subset}]>${urlset(loc)}`;
    const files = [
      declared('<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">', 'http://a.example/&b;'),
      declared(`<!ENTITY x SYSTEM "${site.url('/secret')}">`, 'http://a.example/&x;'),
      declared('<!ENTITY x SYSTEM "file:///etc/hostname">', 'http://a.example/&x;'),
      declared(`<!ENTITY % p SYSTEM "${site.url('/secret')}"> %p;`, 'http://a.example/'),
    ];
    for (const file of files) {
      const { sites, errors } = await served(file, '/declared.xml');
      expect([sites, errors.length]).to.deep.equal([[], 1]);
    }
    expect(site.hits.has('/secret')).to.equal(false);
  });

  it('lists 50,000 pages and no more, and says so (F13)', async () => {
    const pages = Array.from({ length: 50_001 }, (_, at) => `http://a.example/${at}`);
    const whole = await served(urlset(...pages.slice(1)), '/large.xml');
    expect([whole.sites.length, whole.errors]).to.deep.equal([50_000, []]);
    const cut = await served(urlset(...pages), '/larger.xml');
    expect(cut.sites).to.have.lengthOf(50_000);
    expect(cut.errors[0].message).to.include('50000');
  });

  it('refuses targets that are not of the web, in `errors` (A4)', async () => {
    for (const target of ['http://169.254.169.254/sitemap.xml', 'http://[::1]:22/', 'http://127.0.0.1:22/']) {
      const { status, body } = await convert(target);
      expect([status, body.sites, body.errors.length]).to.deep.equal([200, [], 1]);
    }
    const nested = await served(indexOf('http://169.254.169.254/', 'file:///etc/passwd'), '/nested-private.xml');
    expect([nested.sites, nested.errors.length]).to.deep.equal([[], 2]);
  });

  it('answers an address that is none, or no address, with a TypeError', async () => {
    for (const sitemap of ['nonsense', '', undefined, 'file:///etc/passwd']) {
      const { status, body } = await convert(sitemap);
      expect([status, body.sites, body.errors[0].type]).to.deep.equal([200, [], 'TypeError']);
    }
    expect((await convert({ $ne: '' })).status).to.equal(422);
  });
});
