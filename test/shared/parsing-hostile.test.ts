/** A15 is an attack described in docs/attacks.md. F12 is a failure described in docs/failures.md. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import { ParsingPool } from '#shared/parsing/parsing-pool.ts';

const repeatToLength = (part: string): string => part.repeat(Math.ceil(20_000 / part.length));

const hostilePages: Record<string, string> = {
  'opening angle brackets': repeatToLength('<'),
  'opening declarations': repeatToLength('<!'),
  'endless attributes': `<a ${repeatToLength('a=b ')}`,
  'an unclosed quote': `<a x="${repeatToLength('"')}`,
  'deep divisions': repeatToLength('<div>'),
  'deep lists': repeatToLength('<ul><li>'),
  'deep definition lists': repeatToLength('<dl><dd>'),
  'deep tables': repeatToLength('<table><tr><td>'),
  'unclosed links and unmatched end tags': '<a>'.repeat(200_000) + '</b>'.repeat(200_000),
  'many headings': repeatToLength('<h1>x'),
  'spaces in a paragraph': `<p>${repeatToLength(' ')}x`,
  'spaces in code': `<pre>${repeatToLength(' ')}x`,
  ampersands: repeatToLength('&'),
  'one endless word': `<p>${repeatToLength('a')}`,
  'full stops': `<p>${repeatToLength('."')}`,
  'full stops without spaces': `<p>${repeatToLength('。')}`,
  'backticks in code': `<pre>${repeatToLength('`')}`,
  'fences in code': `<pre>${repeatToLength('```\n')}`,
  'a long class': `<p class="${repeatToLength('a-')}">x`,
  'a long style': `<p style="${repeatToLength('display ')}">x`,
  'combining marks': `<p>a${repeatToLength('\u0301')}`,
  'element names that are JavaScript properties': '<constructor><__proto__><toString>x',
  'an unclosed script': `<script>${repeatToLength('x')}`,
};
const hostileTexts: Record<string, string> = {
  'a heading of spaces': `# ${repeatToLength(' ')}x`,
  'a heading of marks': `# ${repeatToLength(' #')}x`,
  pipes: `a|b\n${repeatToLength('-|')}x`,
  'spaces before a pipe': `a|b\n${repeatToLength(' ')}|`,
  'nested list items': repeatToLength('- '),
  'deep items': Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
  terms: repeatToLength('a\n: b\n'),
  'unclosed fences': repeatToLength('```\n'),
  quotes: repeatToLength('> '),
  brackets: repeatToLength('['),
  stars: repeatToLength('*'),
  'nested quotes': repeatToLength('>'),
  'nested quotes with list items': repeatToLength('> - '),
  'nested list items with quotes': repeatToLength('- > '),
  'numbered items': repeatToLength('1. '),
  'deep quotes of many lines': `${'>'.repeat(20)}a\n`.repeat(1_000),
  'a wide table': `${'|a'.repeat(300)}\n${'|-'.repeat(300)}\n${'x\n'.repeat(300)}`,
  'reference definitions': repeatToLength('[a]: b\n'),
};

describe('Hostile texts in the parsing pool', () => {
  const pool = new ParsingPool({ timeoutSeconds: 0.5 });
  /** A pool with the production timeout, for texts that are long but can be parsed. */
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

  for (const [name, body] of Object.entries(hostilePages)) {
    it(`parsing a hostile page ends by itself or is aborted at the timeout: ${name}`, async () => {
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
    it(`a page with 40,000 sibling elements is parsed within the timeout: ${name}`, async () => {
      const body = new TextEncoder().encode(`<table>${html.repeat(40_000)}`);
      const page = { body, contentType: 'text/html', url: 'http://127.0.0.1/' };
      expect(await outcomeOf(patient.parsePage(page))).to.equal(end);
    }).timeout(20_000);
  }

  for (const [name, text] of Object.entries(hostileTexts)) {
    it(`A15: parsing a hostile Markdown text ends within the timeout: ${name}`, async () => {
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

  it('F12: parsing hostile texts keeps the event loop delay of the process below 50 ms', () => {
    expect(delay.percentile(99) / 1e6).to.be.lessThan(50);
  });
});
