/** Thousands of pages of hostile, broken and working sites, each with a check of its result. */
import type { AllowedOutcomes } from './hostile-pages.ts';
import { HOSTILE_PAGES, HOSTILE_RESPONSES } from './hostile-pages.ts';
import { aSiteOfPages } from './hostile-page-trials.ts';
import { aHostileSite } from './hostile-site.ts';
import { pageOfSections } from './numbered-pages.ts';
import { aScriptedSite, isJustified, type ScriptedAnswer, type SiteScript } from './scripted-site.ts';
import { random } from './seeded-random.ts';

/** A page, and a check of the result of its content, which is the status 300 (indexed) or the code of an error. */
export interface ChaosPage {
  url: string;
  isExpected(end: string | number): boolean;
  /** Explains which results are correct: what the server answered, or the results that are allowed. */
  reason(): string;
}

/** The number of sections of each working page. Each section becomes a chunk. */
export const SECTIONS = 3;
const MAX_DELAY_MS = 800;
const BURST = { everyMs: 10_000, lengthMs: 4000 };

const pageAnswer = (name: string): ScriptedAnswer => ({ status: 200, body: pageOfSections(name, SECTIONS) });
const sentence = 'We open at nine and close at six, from Monday to Friday, except on public holidays.';
const entity = (level: number) => `<!ENTITY l${level} "${`&l${level - 1};`.repeat(10)}">`;
const laughs = `<!DOCTYPE page [<!ENTITY l0 "lol">${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(entity).join('')}]>`;

const pick = <T>(choices: T[], path: string): T => choices[Number(path.slice(1)) % choices.length] as T;

/** Answers the first request for a page with a failure, and later ones with the page. */
const failOnce =
  (...failures: ScriptedAnswer[]): SiteScript =>
  (path, nth) =>
    nth === 0 ? pick(failures, path) : pageAnswer(path.slice(1));

const failAlways =
  (...failures: ScriptedAnswer[]): SiteScript =>
  (path) =>
    pick(failures, path);

const isInBurst = () => Date.now() % BURST.everyMs < BURST.lengthMs;

const nextMonth = (path: string) => `/${Number(path.slice(1)) + 1}`;

interface SiteKind {
  /** The share of pages of this kind among all pages. */
  share: number;
  script: SiteScript;
  robots?: ScriptedAnswer;
  /** The allowed results; by default those that the answers of the site justify. */
  ends?: AllowedOutcomes;
}

/**
 * A site of its own for each kind, because a pause in the requests to a host delays all of its pages. The paths of
 * pages are numbers.
 */
const SITE_KINDS: Record<string, SiteKind> = {
  unsteady: {
    share: 0.08,
    script: failOnce(
      { status: 500 },
      { status: 502 },
      { status: 503, retryAfter: 1 },
      { status: 504 },
      { status: 408 },
    ),
    ends: [300],
  },
  bursts: { share: 0.08, script: (path) => (isInBurst() ? pick(BURST_ANSWERS, path) : pageAnswer(path.slice(1))) },
  broken: { share: 0.02, script: failAlways({ status: 500 }, { status: 502 }, { status: 504 }) },
  unavailable: { share: 0.005, script: failAlways({ status: 503, retryAfter: 1 }) },
  gone: {
    share: 0.03,
    script: failAlways({ status: 404 }, { status: 410 }, { status: 401 }, { status: 403 }, { status: 418 }),
  },
  limited: { share: 0.04, script: failOnce({ status: 429, retryAfter: 1 }), ends: [300] },
  refusing: { share: 0.005, script: failAlways({ status: 429, retryAfter: 1 }) },
  calendar: {
    share: 0.04,
    script: (path) => ({
      status: 200,
      body: `<main><h1>Month ${path}</h1><p>${sentence}</p><a href="${nextMonth(path)}">Next</a></main>`,
    }),
    ends: [300],
  },
  'moving calendar': {
    share: 0.02,
    script: (path) => ({ status: 302, location: nextMonth(path) }),
    ends: ['TOO_MANY_REDIRECTS'],
  },
  xml: {
    share: 0.02,
    script: (path) => ({
      status: 200,
      contentType: 'application/xml',
      body: `<?xml version="1.0"?>${Number(path.slice(1)) % 2 ? laughs : ''}<feed><entry a=1 a=2><p>${sentence}</p></feed></entry>&l9;&undefined;<p>${sentence}`,
    }),
    ends: [300],
  },
  private: {
    share: 0.01,
    script: (path) => pageAnswer(path.slice(1)),
    robots: { status: 200, body: 'User-agent: *\nDisallow: /' },
    ends: ['ROBOTS_DISALLOWED'],
  },
  'without robots.txt': {
    share: 0.005,
    script: (path) => pageAnswer(path.slice(1)),
    robots: { status: 500 },
    ends: ['ROBOTS_UNREACHABLE'],
  },
};

const BURST_ANSWERS: ScriptedAnswer[] = [{ status: 503, retryAfter: 2 }, { status: 500 }, { status: 502 }];
const SHARES = { hostileContent: 0.14, hostileTransfer: 0.12 };

const allowed = (url: string, ends: AllowedOutcomes): ChaosPage => ({
  url,
  isExpected: (end) => (ends as (string | number)[]).includes(end),
  reason: () => ends.join(' or '),
});

/** Copies of the hostile pages at `url`; the addresses differ in their fragments. */
const copies = (count: number, kinds: [path: string, ends: AllowedOutcomes][], url: (path: string) => string) =>
  Array.from({ length: count }, (_, index) => {
    const [path, ends] = kinds[index % kinds.length] as [string, AllowedOutcomes];
    return allowed(url(`${path}#${index}`), ends);
  });

const aSiteOfKind = async ({ script, robots, ends }: SiteKind, count: number) => {
  const site = await aScriptedSite(script, robots);
  const paths = Array.from({ length: count }, (_, index) => `/${index}`);
  const pages = paths.map((path): ChaosPage => {
    const url = site.url(path);
    if (ends) return allowed(url, ends);
    const reason = () => `answers ${site.statusesOf(path).join(', ')}`;
    return { url, isExpected: (end) => isJustified(end, site.statusesOf(path)), reason };
  });
  return { ...site, pages };
};

const shuffle = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);

/**
 * Starts the sites. Returns their pages (`count` in all) in random order. Those of the working site have paths that
 * start with `/good-`.
 */
export const aChaosWeb = async (count: number) => {
  const [rawSite, site] = await Promise.all([aHostileSite(), aSiteOfPages()]);
  const part = (share: number) => Math.ceil(count * share);
  const kinds = Object.entries(SITE_KINDS);
  const scripted = await Promise.all(kinds.map(([, kind]) => aSiteOfKind(kind, part(kind.share))));
  const bodies = Object.entries(HOSTILE_PAGES).map(([path, [, ends]]): [string, AllowedOutcomes] => [path, ends]);
  const hostile = [
    ...copies(part(SHARES.hostileContent), bodies, site.url),
    ...copies(part(SHARES.hostileTransfer), Object.entries(HOSTILE_RESPONSES), rawSite.url),
    ...scripted.flatMap(({ pages }) => pages),
  ];
  const good = Array.from({ length: Math.max(0, count - hostile.length) }, (_, index) => {
    const delayMs = Math.floor(random() * MAX_DELAY_MS);
    site.pages[`/good-${index}`] = { body: pageOfSections(`good${index}`, SECTIONS), delayMs };
    return allowed(site.url(`/good-${index}`), [300]);
  });
  const calendar = scripted[kinds.findIndex(([name]) => name === 'calendar')];
  return {
    rawSite,
    site,
    good: good.length,
    pages: shuffle([...hostile, ...good]),
    /**
     * The pages of the `calendar` site that were requested although no content has their address; only links lead to
     * them.
     */
    followedLinks: () =>
      calendar
        ?.requestedPaths()
        .filter((path) => path !== '/robots.txt' && Number(path.slice(1)) >= calendar.pages.length),
    close: async () => {
      for (const each of [rawSite, site, ...scripted]) await each.close();
    },
  };
};

/** The sites of a trial. */
export type ChaosWeb = Awaited<ReturnType<typeof aChaosWeb>>;
