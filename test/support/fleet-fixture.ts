/**
 * A fleet (processes with a database of their own) whose workers and API are replaced when they are killed, a site to
 * import, and an embedding provider.
 */
import { aProvider, type Fault } from './fake-openai.ts';
import { aSite, type FakePage } from './fake-site.ts';
import { aFleet, type Fleet, type FleetProcess } from './fleet.ts';
import { pageOfSections } from './numbered-pages.ts';
import { random } from './seeded-random.ts';

/** The number of chunks of each page. */
export const SECTIONS_PER_PAGE = 3;
/** The provider rejects pages with REFUSED_WORD, and delays its responses for pages with SLOW_WORD. */
export const REFUSED_WORD = 'unspeakable';
export const SLOW_WORD = 'unhurried';

const FAULT_OF_WORD: [string, Fault][] = [
  [REFUSED_WORD, { status: 400 }],
  [SLOW_WORD, { delayMs: 500 }],
];

/** Calls `make` with 0 to `count - 1` and returns the results. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const startProcesses = async (fleet: Fleet) => {
  const workers: FleetProcess[] = [];
  /** Starts workers until two are running; returns both. */
  const twoWorkers = async (): Promise<[FleetProcess, FleetProcess]> => {
    const missing = times(2 - workers.length, () => fleet.worker());
    workers.push(...(await Promise.all(missing)));
    return workers as [FleetProcess, FleetProcess];
  };
  const [api] = await Promise.all([fleet.api(), twoWorkers()]);
  let currentApi = Promise.resolve(api);
  return {
    /** The running workers: two, or one after a trial has stopped the other. */
    workers,
    twoWorkers,
    /** The URL of the API; waits while it restarts. */
    url: async () => (await currentApi).url,
    killWorker: async () => {
      const index = Math.floor(random() * workers.length);
      await (workers[index] as FleetProcess).end('SIGKILL');
      workers[index] = await fleet.worker();
    },
    killApi: async () => {
      const dying = await currentApi;
      currentApi = dying.end('SIGKILL').then(fleet.api);
      await currentApi;
    },
  };
};

const aGrowingSite = async () => {
  const site = await aSite();
  const paths = (name: string) => [...site.hits].filter(([path]) => path.startsWith(`/${name}-`));
  return {
    ...site,
    /** Adds pages to the site and returns their addresses. */
    addPages: (name: string, count: number, more: Exclude<FakePage, string> = {}): string[] =>
      times(count, (index) => {
        site.pages[`/${name}-${index}`] = { body: pageOfSections(`${name}${index}`, SECTIONS_PER_PAGE), ...more };
        return site.url(`/${name}-${index}`);
      }),
    /** The number of requests for each requested page that `addPages` added under this name. */
    hitsOf: (name: string): number[] => paths(name).map(([, hits]) => hits),
  };
};

/** Starts the fleet, the site and the provider. */
export const aFleetFixture = async () => {
  const faultOf = ({ body }: { body: { input?: unknown } }) =>
    FAULT_OF_WORD.find(([word]) => JSON.stringify(body.input ?? '').includes(word))?.[1];
  const [provider, site] = await Promise.all([aProvider({ faultOf }), aGrowingSite()]);
  const fleet = await aFleet({
    OPENAI_BASE_URL: provider.baseUrl,
    OPENAI_API_KEY: 'none',
    EMBEDDING_MODEL: 'fake',
    EMBEDDING_DIMENSION: '64',
    CHUNK_TOKENS: '100',
    PARSE_MEMORY_MIB: '32',
  });
  const close = async () => {
    for (const part of [fleet, site, provider]) await part.close();
  };
  return { provider, site, fleet, ...(await startProcesses(fleet)), close };
};

export type FleetFixture = Awaited<ReturnType<typeof aFleetFixture>>;
