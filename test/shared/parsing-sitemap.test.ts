/** F15 is a failure described in docs/failures.md. */
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { AppError } from '#shared/errors.ts';
import { parseSitemap } from '#shared/parsing/sitemap.ts';

const limits = { sitemapBytes: 1_000_000, sitemapUrls: 100 };
const urlset = (locs: string) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs}</urlset>`;
const parse = (text: string | Uint8Array) => parseSitemap(Buffer.from(text), limits);
const codeOf = (text: string | Uint8Array): string => {
  try {
    return parse(text).urls.join();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};

describe('Sitemaps', () => {
  it('parsing a urlset returns its addresses trimmed and without duplicates', () => {
    const sitemap = parse(
      urlset(
        '<url><loc> https://a.test/1?x=1&amp;y=&#50; </loc><lastmod>2026-01-01</lastmod></url><url><loc>https://a.test/2</loc></url><url><loc>https://a.test/2</loc></url>',
      ),
    );
    expect(sitemap).to.deep.equal({
      kind: 'urlset',
      urls: ['https://a.test/1?x=1&y=2', 'https://a.test/2'],
      truncated: false,
      isBroken: false,
    });
  });

  it('a sitemap index is recognized with any namespace prefix', () => {
    const sitemap = parse(
      '<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc><![CDATA[https://a.test/s.xml]]></s:loc></s:sitemap></s:sitemapindex>',
    );
    expect(sitemap).to.deep.equal({ kind: 'index', urls: ['https://a.test/s.xml'], truncated: false, isBroken: false });
  });

  it('addresses of images and other extensions are ignored', () => {
    const sitemap = parse(
      urlset(
        '<url><loc>https://a.test/1</loc><image:image><image:loc>https://a.test/1.png</image:loc></image:image></url>',
      ),
    );
    expect(sitemap.urls).to.deep.equal(['https://a.test/1']);
  });

  it('a sitemap may be compressed with gzip, and may be a plain list of addresses', () => {
    expect(parse(gzipSync(urlset('<url><loc>https://a.test/1</loc></url>'))).urls).to.deep.equal(['https://a.test/1']);
    expect(parse('\ufeffhttps://a.test/1\r\n\r\nhttps://a.test/2\r\n').urls).to.deep.equal([
      'https://a.test/1',
      'https://a.test/2',
    ]);
  });

  it('unescaped ampersands and missing end tags are tolerated', () => {
    expect(parse('<urlset><url><loc>https://a.test/?a=1&b=2</loc></url><url><loc>https://a.test/2').urls).to.include(
      'https://a.test/?a=1&b=2',
    );
  });

  it('a broken sitemap is read up to the point where it is broken, and is reported as broken', () => {
    const start = '<urlset><url><loc>https://a.test/1</loc></url>';
    for (const end of [
      '',
      '<url',
      '<url><loc>https://a.test/2',
      '<!-- ',
      '<![CDATA[',
      '<__proto__>',
      '</url',
      '</urlset',
      '<!-- </urlset> -->',
      '<!-- </urlset>',
      '<url><lastmod><![CDATA[</urlset>]]></lastmod></url>',
      '<url a="</urlset>">',
    ])
      expect(parse(start + end), end).to.deep.equal({
        ...{ kind: 'urlset', urls: ['https://a.test/1'] },
        ...{ truncated: false, isBroken: true },
      });
    expect(parse('<sitemapindex><sitemap><loc>https://a.test/1.xml</loc></sitemap><sitemap>').isBroken).to.equal(true);
    expect(parse('<urlset></url></url><url><loc>https://a.test/1</loc></url>').urls).to.deep.equal([
      'https://a.test/1',
    ]);
  });

  it('a sitemap with the end tag of its root is not reported as broken, even if other end tags are missing or text that is not XML follows', () => {
    const entry = '<url><loc>https://a.test/1</loc>';
    const complete = [
      ...[urlset(`${entry}</url>`), `<s:urlset xmlns:s="x">${entry}</url></s:urlset >`, `<urlset>${entry}</urlset>`],
      ...[`<URLSET>${entry}</url></URLSET><!-- Generated in 0.2 s -->`, '<urlset xmlns="x"/>', '<sitemapindex />'],
      ...['<urlset/>', '<s:urlset a="b>c"/>', `<urlset>${entry}</url></urlset><!-- x`, '<urlset></urlset><url><loc'],
    ];
    for (const text of complete) expect(parse(text).isBroken, text).to.equal(false);
  });

  it('an address is read although parts of it are in CDATA sections', () => {
    const loc = '<loc> https://a.test/?a=1<![CDATA[&]]>b=2 </loc>';
    expect(parse(urlset(`<url>${loc}</url>`)).urls).to.deep.equal(['https://a.test/?a=1&b=2']);
  });

  it('a sitemap with many escaped characters is read completely', () => {
    const many = Array.from({ length: 100 }, (_, at) => `https://a.test/${at}?${'&amp;&#38;'.repeat(500)}`);
    const { urls } = parse(urlset(many.map((url) => `<url><loc>${url}</loc></url>`).join('')));
    expect(urls).to.deep.equal(many.map((url) => url.replaceAll(/&amp;|&#38;/g, '&')));
  });

  it('an address of more than 1,000,000 characters is omitted, and the sitemap is reported as truncated', () => {
    const long = `<url><loc>https://a.test/${'a'.repeat(1_000_001)}</loc></url>`;
    const { urls, truncated } = parseSitemap(Buffer.from(`<urlset>${long}<url><loc>https://a.test/1</loc></url>`), {
      ...limits,
      sitemapBytes: 2_000_000,
    });
    expect({ urls, truncated }).to.deep.equal({ urls: ['https://a.test/1'], truncated: true });
  });

  it('a sitemap is truncated at the address limit and reported as truncated', () => {
    const many = Array.from({ length: 101 }, (_, index) => `<url><loc>https://a.test/${index}</loc></url>`);
    expect(parse(urlset(many.join(''))))
      .to.deep.include({ truncated: true })
      .and.have.property('urls')
      .with.length(100);
    expect(parse(urlset(many.slice(1).join(''))))
      .to.deep.include({ truncated: false })
      .and.have.property('urls')
      .with.length(100);
  });

  it('a list of addresses is read completely although it has many blank and repeated lines', () => {
    const lines = Array.from({ length: 99 }, (_, at) => `https://a.test/${at}\n\nhttps://a.test/0\n`).join('\n');
    const { urls, truncated } = parse(`${lines}\nhttps://a.test/99`);
    expect([urls.length, urls.at(-1), truncated]).to.deep.equal([100, 'https://a.test/99', false]);
    const tooMany = parse(`${lines}\nhttps://a.test/99\nhttps://a.test/100`);
    expect([tooMany.urls.length, tooMany.truncated]).to.deep.equal([100, true]);
    expect(codeOf(`https://a.test/1${'\n'.repeat(300)}not an address`)).to.equal('UNKNOWN_SITEMAP');
  });

  it('a file that is not a sitemap is refused with UNKNOWN_SITEMAP or NOT_TEXT', () => {
    expect(codeOf('<rss><channel/></rss>')).to.equal('UNKNOWN_SITEMAP');
    expect(codeOf('<!doctype html><title>404</title>')).to.equal('UNKNOWN_SITEMAP');
    expect(codeOf('<constructor><url><loc>https://a.test</loc></url></constructor>')).to.equal('UNKNOWN_SITEMAP');
    expect(codeOf('')).to.equal('UNKNOWN_SITEMAP');
    expect(codeOf('not an address')).to.equal('UNKNOWN_SITEMAP');
    expect(codeOf(gzipSync('x').subarray(0, 12))).to.equal('UNKNOWN_SITEMAP');
    expect(codeOf(Buffer.from('89504e470d0a1a0a', 'hex'))).to.equal('NOT_TEXT');
  });

  it('a sitemap that exceeds the byte limit is refused with TOO_LARGE, even if it is compressed', () => {
    expect(codeOf(gzipSync(Buffer.alloc(50_000_000, ' ')))).to.equal('TOO_LARGE');
    expect(codeOf(Buffer.alloc(1_000_001, ' '))).to.equal('TOO_LARGE');
  });

  describe('Document types and entities in sitemaps', () => {
    const entityBomb = (level: number) => `<!ENTITY l${level} "${`&l${level - 1};`.repeat(10)}">`;
    const bombs: Record<string, string> = {
      'billion laughs': `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "lol">${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(entityBomb).join('')}]>${urlset('<url><loc>&l9;</loc></url>')}`,
      'quadratic blow-up': `<!DOCTYPE urlset [<!ENTITY a "${'a'.repeat(50_000)}">]><urlset><url><loc>${'&a;'.repeat(5_000)}</loc></url></urlset>`,
      'an external entity':
        '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/hostname">]><urlset><url><loc>&x;</loc></url></urlset>',
      'an external subset': '<!DOCTYPE urlset SYSTEM "http://127.0.0.1:9/x.dtd"><urlset/>',
      'a parameter entity': '<!DOCTYPE urlset [<!ENTITY % p SYSTEM "http://127.0.0.1:9/p"> %p;]><urlset/>',
      'a lower-case doctype': '<!doctype urlset [<!entity x "y">]><urlset/>',
      'a doctype after a comment': '<!-- x --><!DOCTYPE urlset [<!ENTITY x "y">]><urlset/>',
      'a repeated doctype': '<!DOCTYPE urlset><!DOCTYPE urlset [<!ENTITY x "y">]><urlset/>',
      'a doctype within the root': '<urlset><!DOCTYPE urlset [<!ENTITY x "y">]><url><loc>&x;</loc></url></urlset>',
      'an HTML doctype with entities': '<!DOCTYPE html [<!ENTITY x "y">]><urlset><url><loc>&x;</loc></url></urlset>',
      'a lone entity declaration': '<urlset><!ENTITY x "y"><url><loc>&x;</loc></url></urlset>',
    };
    for (const [name, bomb] of Object.entries(bombs)) {
      it(`F15: a sitemap is refused with DOCTYPE_REFUSED: ${name}`, () =>
        expect(codeOf(bomb)).to.equal('DOCTYPE_REFUSED'));
    }
    it('an entity declaration in UTF-16 is refused with DOCTYPE_REFUSED', () => {
      expect(codeOf(Buffer.from(`\ufeff${bombs['billion laughs']}`, 'utf16le'))).to.equal('DOCTYPE_REFUSED');
    });
    it('an undeclared entity is kept as text', () => {
      expect(codeOf('<urlset><url><loc>https://a.test/&x;</loc></url></urlset>')).to.equal('https://a.test/&x;');
    });
  });
});
