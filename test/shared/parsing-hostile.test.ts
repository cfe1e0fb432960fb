import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import { ParsingPool } from '#shared/parsing/parsing-pool.ts';

const many = (part: string): string => part.repeat(Math.ceil(20_000 / part.length));

const pages: Record<string, string> = {
  'opening angle brackets': many('<'),
  'opening declarations': many('<!'),
  'endless attributes': `<a ${many('a=b ')}`,
  'an unclosed quote': `<a x="${many('"')}`,
  'deep divisions': many('<div>'),
  'deep lists': many('<ul><li>'),
  'deep definition lists': many('<dl><dd>'),
  'deep tables': many('<table><tr><td>'),
  'unclosed links and unmatched end tags': '<a>'.repeat(200_000) + '</b>'.repeat(200_000),
  'many headings': many('<h1>x'),
  'spaces in a paragraph': `<p>${many(' ')}x`,
  'spaces in code': `<pre>${many(' ')}x`,
  ampersands: many('&'),
  'one endless word': `<p>${many('a')}`,
  'full stops': `<p>${many('."')}`,
  'full stops without spaces': `<p>${many('。')}`,
  'backticks in code': `<pre>${many('`')}`,
  'fences in code': `<pre>${many('```\n')}`,
  'a long class': `<p class="${many('a-')}">x`,
  'a long style': `<p style="${many('display ')}">x`,
  'combining marks': `<p>a${many('\u0301')}`,
  'element names that are JavaScript properties': '<constructor><__proto__><toString>x',
  'an unclosed script': `<script>${many('x')}`,
};
const texts: Record<string, string> = {
  'a heading of spaces': `# ${many(' ')}x`,
  'a heading of marks': `# ${many(' #')}x`,
  pipes: `a|b\n${many('-|')}x`,
  'spaces before a pipe': `a|b\n${many(' ')}|`,
  'nested list items': many('- '),
  'deep items': Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
  terms: many('a\n: b\n'),
  'unclosed fences': many('```\n'),
  quotes: many('> '),
  brackets: many('['),
  stars: many('*'),
  'nested quotes': many('>'),
  'nested quotes with list items': many('> - '),
  'nested list items with quotes': many('- > '),
  'numbered items': many('1. '),
  'deep quotes of many lines': `${'>'.repeat(20)}a\n`.repeat(1_000),
  'a wide table': `${'|a'.repeat(300)}\n${'|-'.repeat(300)}\n${'x\n'.repeat(300)}`,
  'reference definitions': many('[a]: b\n'),
};

describe('Hostile texts in the parsing pool', () => {
  const pool = new ParsingPool({ timeoutSeconds: 0.5 });
  /** Has the timeout of production, for texts that are long but can be parsed. */
  const patient = new ParsingPool();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  before(async () => {
    await pool.parseText({ text: 'warm', title: '' });
    delay.enable();
  });
  after(() => Promise.all([pool.close(), patient.close()]));

  const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'read',
      ({ code }: { code: unknown }) => code,
    );

  for (const [name, body] of Object.entries(pages)) {
    it(`parsing a hostile page ends within the timeout: ${name}`, async () => {
      const page = { body: new TextEncoder().encode(body), contentType: 'text/html', url: 'http://127.0.0.1/' };
      expect(await outcomeOf(pool.parsePage(page))).to.be.oneOf(['read', 'NO_TEXT', 'PARSE_TIMEOUT']);
    }).timeout(20_000);
  }

  const siblings: Record<string, [html: string, end: string]> = {
    paragraphs: ['<p>x', 'read'],
    'hidden elements': ['<i hidden>x</i>', 'NO_TEXT'],
    'navigation elements': ['<nav></nav>', 'NO_TEXT'],
    rows: ['<tr><td>x<td>y', 'read'],
  };
  for (const [name, [html, end]] of Object.entries(siblings)) {
    it(`a page with 40,000 siblings is parsed within the timeout: ${name}`, async () => {
      const body = new TextEncoder().encode(`<table>${html.repeat(40_000)}`);
      const page = { body, contentType: 'text/html', url: 'http://127.0.0.1/' };
      expect(await outcomeOf(patient.parsePage(page))).to.equal(end);
    }).timeout(20_000);
  }

  for (const [name, text] of Object.entries(texts)) {
    it(`parsing a hostile Markdown text ends within the timeout: ${name}`, async () => {
      expect(await outcomeOf(pool.parseText({ text, title: '' }))).to.equal('read');
    }).timeout(20_000);
  }

  const sitemaps: Record<string, [body: string, end: unknown]> = {
    'unclosed elements': [`<urlset>${'<url>'.repeat(1_000_000)}`, 'SITEMAP_TOO_NESTED'],
    'one very long address': [`<urlset><url><loc>https://a.test/${'a'.repeat(9_000_000)}</loc></url></urlset>`, 'read'],
    'unmatched end tags': [`<urlset>${'</url>'.repeat(200_000)}`, 'read'],
  };
  for (const [name, [body, end]] of Object.entries(sitemaps)) {
    it(`parsing a hostile sitemap ends within the timeout: ${name}`, async () => {
      expect(await outcomeOf(patient.parseSitemap(Buffer.from(body)))).to.equal(end);
    }).timeout(20_000);
  }

  it('a sitemap with very long addresses is truncated at 8,000,000 characters and reported as truncated', async () => {
    const long = (index: number) => `<url><loc>https://a.test/${index}-${'a'.repeat(1_000)}</loc></url>`;
    const body = Buffer.from(`<urlset>${Array.from({ length: 10_000 }, (_, index) => long(index)).join('')}</urlset>`);
    const { urls, truncated } = await patient.parseSitemap(body);
    expect(truncated).to.equal(true);
    expect(urls.join('').length).to.be.within(7_000_000, 8_000_000);
  }).timeout(20_000);

  it('parsing hostile texts keeps the event loop delay of the process below 50 ms', () => {
    expect(delay.percentile(99) / 1e6).to.be.lessThan(50);
  });
});
