import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { call } from '../support/api.ts';
import { aProvider, type Fault } from '../support/fake-openai.ts';
import { aSite, type FakePage } from '../support/fake-site.ts';
import { aFleet, type Fleet } from '../support/fleet.ts';
import { contentsWith, expectWhole, isTidy } from '../support/fleet-knowledge.ts';
import { anImport, aShift, atRandomMoments, insist, type Shift } from '../support/kill-trials.ts';
import { statuses } from '../support/knowledge.ts';
import { bigPage, markOf } from '../support/numbered-pages.ts';
import { until } from '../support/until.ts';

const SECTIONS = 3;
const REFUSED = 'unspeakable';
const SLOW = 'unhurried';
const faults: [string, Fault][] = [
  [REFUSED, { status: 400 }],
  [SLOW, { delayMs: 500 }],
];

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

describe('An import by several processes', function () {
  this.timeout(60_000);
  let fleet: Fleet;
  let shift: Shift;
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let site: Awaited<ReturnType<typeof aSite>>;

  /** Puts pages on the site; their addresses. */
  const pagesOf = (name: string, count: number, more: Exclude<FakePage, string> = {}): string[] =>
    times(count, (at) => {
      site.pages[`/${name}${at}`] = { body: bigPage(`${name}${at}`, SECTIONS), ...more };
      return site.url(`/${name}${at}`);
    });
  const hitsOf = (name: string): number[] =>
    [...site.hits].filter(([path]) => path.startsWith(`/${name}`)).map(([, hits]) => hits);

  before(async () => {
    provider = await aProvider({
      faultOf: ({ body }) => faults.find(([word]) => JSON.stringify(body.input ?? '').includes(word))?.[1],
    });
    site = await aSite();
    fleet = await aFleet({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'none',
      EMBEDDING_MODEL: 'fake',
      EMBEDDING_DIMENSION: '64',
      CHUNK_TOKENS: '100',
      PARSE_MEMORY: '32',
    });
    shift = await aShift(fleet);
  });
  after(async () => {
    for (const part of [fleet, site, provider]) await part.close();
  });

  it('ends whole, each page once, though workers and API are killed at random moments (F1, F2, F21)', async () => {
    const list = pagesOf('kill', 120, { delayMs: 200 });
    const { id, caller, root, accepted } = await anImport(shift, list);
    const kills = Promise.all([atRandomMoments(2, shift.killWorker), atRandomMoments(2, shift.killApi)]);
    for (const at of times(20, Number)) {
      const note = { type: 'text', name: 'Note', source: `note ${at}`, content: `Note ${at} is short.`, namespace: id };
      accepted.push((await insist(shift, caller, root, note)).body.value._id);
    }
    await kills;
    await until(() => isTidy(id), 40);
    expect(await statuses(id)).to.deep.equal({ 300: 140 });
    const contents = await KbContent.find({ id_project: id }, { _id: 1 }).lean();
    expect(contents.map(({ _id }) => String(_id)).sort()).to.deep.equal(accepted.sort());
    expect(await expectWhole(fleet, id)).to.equal(120 * SECTIONS + 20);
    for (const at of [0, 77, 119]) expect(await contentsWith(id, markOf(`kill${at}`, 1))).to.equal(1);
  });

  it('fetches no page twice when a worker is told to stop, which ends with 0 (F11)', async () => {
    const { id } = await anImport(shift, pagesOf('stop', 40, { delayMs: 400 }));
    await until(() => hitsOf('stop').length > 10, 20);
    const [leaving] = shift.workers;
    shift.workers[0] = await fleet.worker();
    expect(await leaving?.end('SIGTERM')).to.equal(0);
    await until(() => isTidy(id), 20);
    expect(hitsOf('stop')).to.deep.equal(times(40, () => 1));
    await expectWhole(fleet, id);
  });

  it('goes on when Redis forgets everything, and so does the clock (F3)', async () => {
    const { id } = await anImport(shift, pagesOf('flush', 60, { delayMs: 200 }));
    await until(() => hitsOf('flush').length > 10, 20);
    await fleet.redis.flushall();
    const sweeps = () => fleet.redis.zcard(`${config.QUEUE_PREFIX}:upkeep:completed`);
    await until(async () => (await isTidy(id)) && (await sweeps()) > 0, 30);
    expect(await statuses(id)).to.deep.equal({ 300: 60 });
    await expectWhole(fleet, id);
  });

  it('knows everything again after its store was deleted, without an embedding call (F8)', async () => {
    const { id, caller, root } = await anImport(shift, pagesOf('lost', 40));
    await until(() => isTidy(id), 20);
    const before = { passages: await expectWhole(fleet, id), texts: provider.embeddedTexts().length };
    const indexOf = async () => (await KbNamespace.findOne({ id_project: id, id }, { index: 1 }).lean())?.index ?? '';
    const old = await indexOf();
    await rm(join(fleet.dataDir, 'lancedb'), { recursive: true, maxRetries: 3 });
    await until(async () => ![old, ''].includes(await indexOf()) && !(await indexOf()).startsWith('rebuilding'), 20);
    expect({ passages: await expectWhole(fleet, id), texts: provider.embeddedTexts().length }).to.deep.equal(before);
    const asked = { question: `What is the word ${markOf('lost7', 1)}?`, namespace: id, chunks_only: true };
    const { status, text } = await call('POST', `${await shift.url()}${root.replace('/kb', '')}/kb/qa`, {
      body: asked,
      headers: { authorization: caller.authorization },
    });
    expect(status, text).to.equal(200);
    expect(text).to.include(markOf('lost7', 1));
  });

  it('fails the poisonous pages and no other (F6)', async () => {
    const bad = {
      '/bad0': { body: Buffer.alloc(3000, 0), headers: { 'content-type': 'text/html' } },
      '/bad1': `<main>${'<p><i>x</i>'.repeat(400_000)}</main>`,
      '/bad2': bigPage(REFUSED, 2),
    };
    Object.assign(site.pages, bad);
    const list = pagesOf('good', 40);
    list.splice(20, 0, ...Object.keys(bad).map(site.url));
    const pids = shift.workers.map(({ pid }) => pid);
    const { id } = await anImport(shift, list);
    await until(() => isTidy(id), 30);
    const failed = await KbContent.find({ id_project: id, status: 400 }, { source: 1, error: 1 })
      .sort({ source: 1 })
      .lean();
    expect(failed.map(({ source, error }) => [new URL(source).pathname, error?.code])).to.deep.equal([
      ['/bad0', 'NOT_TEXT'],
      ['/bad1', 'PARSE_MEMORY'],
      ['/bad2', 'AI_REFUSED'],
    ]);
    expect(await statuses(id)).to.deep.equal({ 300: 40, 400: 3 });
    await expectWhole(fleet, id);
    for (const pid of pids) expect(process.kill(pid, 0)).to.equal(true);
  });

  it('leaves nothing of a worker that was paused, overtaken and wakes later', async () => {
    const [one, two] = shift.workers;
    two?.signal('SIGSTOP');
    const { id } = await anImport(shift, pagesOf(SLOW, 8));
    await until(() => provider.openCalls() > 0, 20);
    one?.signal('SIGSTOP');
    two?.signal('SIGCONT');
    await until(() => isTidy(id), 30);
    one?.signal('SIGCONT');
    expect(await one?.end('SIGTERM')).to.equal(0);
    await until(() => isTidy(id), 10);
    expect(await KbChunk.countDocuments({ id_project: id })).to.equal(8 * SECTIONS);
    await expectWhole(fleet, id);
    shift.workers[0] = await fleet.worker();
  });
});
