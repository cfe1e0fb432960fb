import { expect } from 'chai';
import { aProvider } from '../support/fake-openai.ts';
import { aSite } from '../support/fake-site.ts';
import { anEndlessSite, aTenant, handover, median, timesOf } from '../support/fairness-trials.ts';
import { aFleet, type Fleet, type Member } from '../support/fleet.ts';
import { bigPage } from '../support/numbered-pages.ts';
import { until } from '../support/until.ts';

const HUGE = 2000;
const NEIGHBOURS = 20;
const CHAINS = 4;
const LINKS = 8;

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

describe('A project beside others', function () {
  this.timeout(60_000);
  let fleet: Fleet;
  let api: Member;
  let provider: Awaited<ReturnType<typeof aProvider>>;
  const small = aSite();

  const pages = async (name: string, count: number): Promise<string[]> => {
    const site = await small;
    return times(count, (at) => {
      site.pages[`/${name}${at}`] = bigPage(`${name}${at}`, 2);
      return site.url(`/${name}${at}`);
    });
  };

  before(async () => {
    provider = await aProvider({ dimension: 384 });
    fleet = await aFleet({
      OPENAI_BASE_URL: provider.baseUrl,
      OPENAI_API_KEY: 'none',
      EMBEDDING_MODEL: 'fake',
      EMBEDDING_DIMENSION: '384',
      CHUNK_TOKENS: '100',
      SWEEP_SECONDS: '15',
      SLICE_SECONDS: '2',
    });
    [api] = await Promise.all([fleet.api(), fleet.worker()]);
  });
  after(async () => {
    for (const part of [fleet, await small, provider]) await part.close();
  });

  it('has a page started within a second, even one added as the pump ends', async () => {
    const chain = async (name: string) => {
      const tenant = await aTenant(api.url);
      const sources = await pages(name, LINKS * 2);
      const found = [];
      for (let at = 0; at < sources.length; at += 2)
        found.push(await handover(tenant, await small, [sources[at] as string, sources[at + 1] as string]));
      return found;
    };
    const found = (await Promise.all(times(CHAINS, (at) => chain(`chain${at}x`)))).flat();
    expect(found.filter(({ waited }) => waited > 1000)).to.deep.equal([]);
    expect(found.some(({ near }) => near >= 0)).to.equal(true);
    expect(found.some(({ near }) => near < 0)).to.equal(true);
  });

  it(`has its page in time while a neighbour imports ${HUGE}`, async () => {
    const [neighbour, huge] = [await aTenant(api.url), await aTenant(api.url)];
    const idle = median(await timesOf(neighbour, await pages('idle', 5)));
    const endless = await anEndlessSite();
    await huge.addAll(times(HUGE, (at) => endless.url(`/page${at}`)));
    await until(() => endless.hits.size > 40, 20);
    const busy = await timesOf(neighbour, await pages('busy', NEIGHBOURS));
    expect(busy.filter((ms) => ms > idle + 2000)).to.deep.equal([]);
    expect(endless.hits.size).to.be.lessThan(HUGE);
    await endless.close();
  });
});
