import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { AppError } from '#shared/errors.ts';
import { ParsingPool } from '#shared/parsing/pool.ts';

const html = (body: string) => ({
  body: new TextEncoder().encode(body),
  contentType: 'text/html',
  url: 'http://127.0.0.1/page',
});
const good = () => html('<main><p>We open at nine.</p></main>');
/** Elements that nothing ends, and end tags of nothing: seconds of work. */
const slow = () => html('<a>'.repeat(2_000_000) + '</b>'.repeat(2_000_000));
const sitemapOf = (count: number) =>
  Buffer.from(
    `<urlset>${Array.from({ length: count }, (_, at) => `<url><loc>https://a.test/page-${at}</loc></url>`).join('')}</urlset>`,
  );
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    ({ code }: { code: unknown }) => code,
  );

describe('the parsing pool', function () {
  this.timeout(20_000);
  const pools: ParsingPool[] = [];
  const aPool = (options?: ConstructorParameters<typeof ParsingPool>[0]) => {
    const pool = new ParsingPool(options);
    pools.push(pool);
    return pool;
  };
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

  it('reads pages, texts and sitemaps in its thread, in order', async () => {
    const pool = aPool();
    const ends: string[] = [];
    const [page, text, sitemap] = await Promise.all([
      pool.parsePage(good()).finally(() => ends.push('page')),
      pool.parseText({ text: 'At *nine*.', title: 'Hours' }).finally(() => ends.push('text')),
      pool.parseSitemap(sitemapOf(2)).finally(() => ends.push('sitemap')),
    ]);
    expect(page.chunks.map(({ text }) => text)).to.deep.equal(['We open at nine.']);
    expect(text.chunks[0]).to.deep.include({ text: 'At *nine*.', headings: ['Hours'] });
    expect(sitemap.urls).to.have.length(2);
    expect(ends).to.deep.equal(['page', 'text', 'sitemap']);
  });

  it('ends a page that takes too long, and goes on with its neighbours', async () => {
    const pool = aPool({ timeout: 0.3 });
    await pool.parsePage(good());
    const ends = await Promise.all([
      codeOf(pool.parsePage(good())),
      codeOf(pool.parsePage(slow())),
      codeOf(pool.parsePage(good())),
    ]);
    expect(ends).to.deep.equal(['no error', 'PARSE_TIMEOUT', 'no error']);
  });

  it('does not hold against a task what the thread spends waiting, but waits no longer than ten times its limit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pool-'));
    const pipe = join(folder, 'sitemap');
    spawnSync('mkfifo', [pipe]);
    const pool = aPool({ timeout: 0.2 });
    const late = pool.parseSitemapFile(pipe);
    await sleep(600); // three times the limit
    await writeFile(pipe, sitemapOf(2));
    expect((await late).urls).to.have.length(2);
    expect(await codeOf(pool.parseSitemapFile(pipe))).to.equal('PARSE_TIMEOUT');
    await writeFile(pipe, ''); // lets the thread go, which waits for somebody to write
    await rm(folder, { recursive: true });
  });

  it('ends a page that takes too much memory, and goes on with its neighbours', async () => {
    const pool = aPool({ memory: 24 });
    const large = html(`<main>${'<p><i>x</i>'.repeat(400_000)}</main>`);
    const ends = await Promise.all([codeOf(pool.parsePage(large)), codeOf(pool.parsePage(good()))]);
    expect(ends).to.deep.equal(['PARSE_MEMORY', 'no error']);
  });

  it('keeps nobody waiting in its queue whose signal is aborted', async () => {
    const pool = aPool({ timeout: 0.3 });
    const gone = new AbortController();
    const ends: string[] = [];
    const tasks = [
      codeOf(pool.parsePage(slow())).finally(() => ends.push('slow')),
      codeOf(pool.parseSitemap(sitemapOf(2), gone.signal)).finally(() => ends.push('gone')),
      codeOf(pool.parseSitemap(sitemapOf(2))).finally(() => ends.push('next')),
    ];
    gone.abort(Object.assign(new Error('left'), { code: 'LEFT' }));
    expect((await Promise.all(tasks)).slice(1)).to.deep.equal(['LEFT', 'no error']);
    expect(ends).to.deep.equal(['gone', 'slow', 'next']);
    expect(await codeOf(pool.parseSitemap(sitemapOf(2), gone.signal))).to.equal('LEFT');
  });

  it('hands on the reason of a refusal as a final error', async () => {
    const refusal = await aPool()
      .parsePage(html('<script>x</script>'))
      .catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(AppError).and.have.property('code', 'NO_TEXT');
  });

  it('takes the bytes it is given uncopied, but copies a part of a larger buffer', async () => {
    const pool = aPool();
    const whole = good();
    const part = { ...good(), body: Buffer.concat([good().body]).subarray(0) };
    await Promise.all([pool.parsePage(whole), pool.parsePage(part)]);
    expect(whole.body.byteLength).to.equal(0);
    expect(part.body.byteLength).to.be.greaterThan(0);
  });

  it('fails what is left when it closes, and starts again when asked', async () => {
    const pool = aPool();
    const ends = Promise.all([codeOf(pool.parsePage(good())), codeOf(pool.parsePage(good()))]);
    await pool.close();
    expect(await ends).to.deep.equal(['PARSE_STOPPED', 'PARSE_STOPPED']);
    expect(await codeOf(pool.parsePage(good()))).to.equal('no error');
  });

  it('keeps no process alive when it has nothing to do', () => {
    const script = `import { parsing } from '#shared/parsing/pool.ts'; const { chunks } = await parsing.parseText({ text: 'x', title: '' }); console.log(chunks.length)`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
      cwd: `${import.meta.dirname}/../..`,
    });
    expect({ stdout, status }).to.deep.equal({ stdout: '1\n', status: 0 });
  });

  it('F13: reads 50,000 addresses and stops at them, beside an idle event loop', async () => {
    const pool = aPool();
    await pool.parseText({ text: 'warm', title: '' });
    const [exact, over] = [sitemapOf(50_000), gzipSync(sitemapOf(60_000))];
    const found = await pool.parseSitemap(exact);
    expect(found).to.deep.include({ truncated: false }).and.have.property('urls').with.length(50_000);
    expect(await pool.parseSitemap(over))
      .to.deep.include({ truncated: true })
      .and.have.property('urls')
      .with.length(50_000);
  });
});
