/** A9 is an attack described in docs/attacks.md. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { AppError } from '#shared/errors.ts';
import { ParsingPool } from '#shared/parsing/parsing-pool.ts';

const html = (body: string) => ({
  body: new TextEncoder().encode(body),
  contentType: 'text/html',
  url: 'http://127.0.0.1/page',
});
const goodPage = () => html('<main><p>We open at nine.</p></main>');
/** A page of unclosed elements and unmatched end tags; parsing it takes seconds. */
const slowPage = () => html('<a>'.repeat(2_000_000) + '</b>'.repeat(2_000_000));
const sitemapOf = (count: number) =>
  Buffer.from(
    `<urlset>${Array.from({ length: count }, (_, index) => `<url><loc>https://a.test/page-${index}</loc></url>`).join('')}</urlset>`,
  );
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    ({ code }: { code: unknown }) => code,
  );

describe('Parsing pool', () => {
  const pools: ParsingPool[] = [];
  const aPool = (options?: ConstructorParameters<typeof ParsingPool>[0]) => {
    const pool = new ParsingPool(options);
    pools.push(pool);
    return pool;
  };
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

  it('the parsing pool parses pages, texts and sitemaps in its thread, in order', async () => {
    const pool = aPool();
    const ends: string[] = [];
    const [page, text, sitemap] = await Promise.all([
      pool.parsePage(goodPage()).finally(() => ends.push('page')),
      pool.parseText({ text: 'At *nine*.', title: 'Hours' }).finally(() => ends.push('text')),
      pool.parseSitemap(sitemapOf(2)).finally(() => ends.push('sitemap')),
    ]);
    expect(page.chunks.map(({ text }) => text)).to.deep.equal(['We open at nine.']);
    expect(text.chunks[0]).to.deep.include({ text: 'At *nine*.', headings: ['Hours'] });
    expect(sitemap.urls).to.have.length(2);
    expect(ends).to.deep.equal(['page', 'text', 'sitemap']);
  });

  it('the parsing pool aborts a page that exceeds the time limit and parses the others', async () => {
    const pool = aPool({ timeoutSeconds: 0.3 });
    await pool.parsePage(goodPage());
    const ends = await Promise.all([
      codeOf(pool.parsePage(goodPage())),
      codeOf(pool.parsePage(slowPage())),
      codeOf(pool.parsePage(goodPage())),
    ]);
    expect(ends).to.deep.equal(['no error', 'PARSE_TIMEOUT', 'no error']);
  });

  it('the time limit applies to processor time, and a task that only waits is aborted after ten times the limit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pool-'));
    const pipe = join(folder, 'sitemap');
    spawnSync('mkfifo', [pipe]);
    const pool = aPool({ timeoutSeconds: 0.2 });
    const late = pool.parseSitemapFile(pipe);
    await sleep(600); // three times the limit
    await writeFile(pipe, sitemapOf(2));
    expect((await late).urls).to.have.length(2);
    expect(await codeOf(pool.parseSitemapFile(pipe))).to.equal('PARSE_TIMEOUT');
    await writeFile(pipe, ''); // unblocks the thread, which is waiting for a writer of the pipe
    await rm(folder, { recursive: true });
  });

  it('A9: the parsing pool aborts a page that exceeds the memory limit and parses the others', async () => {
    const pool = aPool({ memoryMib: 24 });
    const large = html(`<main>${'<p><i>x</i>'.repeat(400_000)}</main>`);
    const ends = await Promise.all([codeOf(pool.parsePage(large)), codeOf(pool.parsePage(goodPage()))]);
    expect(ends).to.deep.equal(['PARSE_MEMORY', 'no error']);
  });

  it('a queued task is rejected as soon as its signal is aborted', async () => {
    const pool = aPool({ timeoutSeconds: 0.3 });
    const gone = new AbortController();
    const ends: string[] = [];
    const tasks = [
      codeOf(pool.parsePage(slowPage())).finally(() => ends.push('slow')),
      codeOf(pool.parseSitemap(sitemapOf(2), gone.signal)).finally(() => ends.push('gone')),
      codeOf(pool.parseSitemap(sitemapOf(2))).finally(() => ends.push('next')),
    ];
    gone.abort(Object.assign(new Error('left'), { code: 'LEFT' }));
    expect((await Promise.all(tasks)).slice(1)).to.deep.equal(['LEFT', 'no error']);
    expect(ends).to.deep.equal(['gone', 'slow', 'next']);
    expect(await codeOf(pool.parseSitemap(sitemapOf(2), gone.signal))).to.equal('LEFT');
  });

  it('the parsing pool passes an error from the parser to the caller, with its code', async () => {
    const refusal = await aPool()
      .parsePage(html('<script>x</script>'))
      .catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(AppError).and.have.property('code', 'NO_TEXT');
  });

  it('the parsing pool transfers a whole buffer to its thread, and copies a part of a larger buffer', async () => {
    const pool = aPool();
    const wholeBuffer = goodPage();
    const part = { ...goodPage(), body: Buffer.concat([goodPage().body]).subarray(0) };
    await Promise.all([pool.parsePage(wholeBuffer), pool.parsePage(part)]);
    expect(wholeBuffer.body.byteLength).to.equal(0);
    expect(part.body.byteLength).to.be.greaterThan(0);
  });

  it('closing the parsing pool rejects its queued tasks, and the next task starts it again', async () => {
    const pool = aPool();
    const ends = Promise.all([codeOf(pool.parsePage(goodPage())), codeOf(pool.parsePage(goodPage()))]);
    await pool.close();
    expect(await ends).to.deep.equal(['PARSE_STOPPED', 'PARSE_STOPPED']);
    expect(await codeOf(pool.parsePage(goodPage()))).to.equal('no error');
  });

  it('an idle parsing pool does not keep its process alive', () => {
    const script = `import { parsingPool } from '#shared/parsing/parsing-pool.ts'; const { chunks } = await parsingPool.parseText({ text: 'x', title: '' }); console.log(chunks.length)`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
      cwd: `${import.meta.dirname}/../..`,
    });
    expect({ stdout, status }).to.deep.equal({ stdout: '1\n', status: 0 });
  });

  it('the parsing pool reads at most 50,000 addresses from a sitemap', async () => {
    const pool = aPool();
    await pool.parseText({ text: 'warm', title: '' });
    const [exact, tooLong] = [sitemapOf(50_000), gzipSync(sitemapOf(60_000))];
    const sitemap = await pool.parseSitemap(exact);
    expect(sitemap).to.deep.include({ truncated: false }).and.have.property('urls').with.length(50_000);
    expect(await pool.parseSitemap(tooLong))
      .to.deep.include({ truncated: true })
      .and.have.property('urls')
      .with.length(50_000);
  });
});
