import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The folder of Debian's package `python3-doc`. */
const DOCS_ROOT = '/usr/share/doc/python3-doc/html';

/** The HTML files below a folder. Follows symbolic links. */
function htmlFilesIn(folder: string, path = ''): string[] {
  return readdirSync(join(folder, path))
    .toSorted()
    .flatMap((name) => {
      const here = path ? `${path}/${name}` : name;
      const found = statSync(join(folder, here), { throwIfNoEntry: false });
      if (found?.isDirectory()) return htmlFilesIn(folder, here);
      return found && name.endsWith('.html') ? [here] : [];
    });
}

const sitemapOf = (urls: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls
    .map((url) => `<url><loc>${url}</loc></url>`)
    .join('\n')}\n</urlset>\n`;

/** The reason why the Python documentation cannot be served on this machine; undefined if it can. */
export const missingPythonDocs = (): string | undefined =>
  statSync(DOCS_ROOT, { throwIfNoEntry: false }) ? undefined : 'the package python3-doc is not installed';

/** The path of a page's file. */
export const pythonDocsPage = (page: string): string => join(DOCS_ROOT, page);

/** Serves the HTML pages of the Python documentation on loopback, with a sitemap. */
export const aPythonDocsSite = async () => {
  const pages = htmlFilesIn(DOCS_ROOT);
  const known = new Set(pages);
  const hits = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const page = (request.url ?? '').slice(1);
    hits.set(page, (hits.get(page) ?? 0) + 1);
    if (page === 'sitemap.xml') return response.setHeader('content-type', 'application/xml').end(sitemap());
    if (!known.has(page)) return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8').end(await readFile(join(DOCS_ROOT, page)));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sitemap = () => sitemapOf(pages.map((page) => `${origin}/${page}`));
  return {
    origin,
    pages,
    sitemap: `${origin}/sitemap.xml`,
    /** The name of the page at an address. */
    pageOf: (url: string) => url.slice(origin.length + 1),
    hits,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};
