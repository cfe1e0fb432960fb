/** Serves the help centre in test/data and its sitemap on loopback, and imports it into a knowledge base. */
import { readFileSync } from 'node:fs';
import { api, type Caller } from './api.ts';
import { aSite } from './fake-site.ts';
import { runJobs } from './run-jobs.ts';

const pages = JSON.parse(readFileSync(new URL('../data/help-centre/site.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

const sitemapOf = (urls: string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
});

/** Starts the site with the pages at `paths` (all by default); the returned `html` contains them by path. */
export const aHelpCentre = async (paths = Object.keys(pages)) => {
  const html = Object.fromEntries(paths.map((path) => [path, pages[path] as string]));
  const site = await aSite({ ...html }, { etags: true });
  site.pages['/sitemap.xml'] = sitemapOf(paths.map(site.url));
  return { ...site, html };
};

export type HelpCentre = Awaited<ReturnType<typeof aHelpCentre>>;

/** Imports the pages in the site's sitemap into a project's default knowledge base, and runs all jobs. */
export const importHelpCentre = async (site: HelpCentre, admin: Caller, project: string): Promise<void> => {
  const { sites } = (await api(admin).post(`/v3/${project}/kb/sitemap`, { sitemap: site.url('/sitemap.xml') })).body;
  const { status, text } = await api(admin).post(`/v3/${project}/kb/multi?namespace=${project}`, { list: sites });
  if (status !== 200) throw new Error(`not imported: ${text}`);
  await runJobs();
};

/** The path of a page, by which questions.json names the page. */
export const urlPath = (source: string): string => new URL(source).pathname;
