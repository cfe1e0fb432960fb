/** A fleet at work: two workers and an API that are replaced when killed, a site to import, a provider that embeds. */
import { aProvider, type Fault } from './fake-openai.ts';
import { aSite, type FakePage } from './fake-site.ts';
import { aFleet, type Fleet, type Member } from './fleet.ts';
import { bigPage } from './numbered-pages.ts';

/** The passages of each page. */
export const SECTIONS = 3;
/** A page with this word is refused by the model; with the next one, embedded after a while. */
export const REFUSED = 'unspeakable';
export const SLOW = 'unhurried';

const FAULTS: [string, Fault][] = [
  [REFUSED, { status: 400 }],
  [SLOW, { delayMs: 500 }],
];

/** As many of them. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const aShift = async (fleet: Fleet) => {
  const [one, two, api] = await Promise.all([fleet.worker(), fleet.worker(), fleet.api()]);
  const workers: [Member, Member] = [one, two];
  let serving = Promise.resolve(api);
  return {
    workers,
    /** The API that serves, as soon as one does. */
    url: async () => (await serving).url,
    killWorker: async () => {
      const place = Math.random() < 0.5 ? 0 : 1;
      await workers[place].end('SIGKILL');
      workers[place] = await fleet.worker();
    },
    killApi: async () => {
      const dying = await serving;
      serving = dying.end('SIGKILL').then(fleet.api);
      await serving;
    },
  };
};

const aLibrary = async () => {
  const site = await aSite();
  const paths = (name: string) => [...site.hits].filter(([path]) => path.startsWith(`/${name}-`));
  return {
    ...site,
    /** Puts pages on the site; their addresses. */
    shelve: (name: string, count: number, more: Exclude<FakePage, string> = {}): string[] =>
      times(count, (at) => {
        site.pages[`/${name}-${at}`] = { body: bigPage(`${name}${at}`, SECTIONS), ...more };
        return site.url(`/${name}-${at}`);
      }),
    /** How often each page of that name was asked for. */
    hitsOf: (name: string): number[] => paths(name).map(([, hits]) => hits),
  };
};

/** Everything up and ready. */
export const aStage = async () => {
  const faultOf = ({ body }: { body: { input?: unknown } }) =>
    FAULTS.find(([word]) => JSON.stringify(body.input ?? '').includes(word))?.[1];
  const [provider, site] = await Promise.all([aProvider({ faultOf }), aLibrary()]);
  const fleet = await aFleet({
    OPENAI_BASE_URL: provider.baseUrl,
    OPENAI_API_KEY: 'none',
    EMBEDDING_MODEL: 'fake',
    EMBEDDING_DIMENSION: '64',
    CHUNK_TOKENS: '100',
    PARSE_MEMORY: '32',
  });
  const close = async () => {
    for (const part of [fleet, site, provider]) await part.close();
  };
  return { provider, site, fleet, ...(await aShift(fleet)), close };
};

/** A stage. */
export type Stage = Awaited<ReturnType<typeof aStage>>;
