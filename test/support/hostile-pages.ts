/** Pages and sitemaps that attack the crawler or the parser, and the expected result of each. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FakePage } from './fake-site.ts';

/**
 * Allowed results: error codes, or 300 (the status of an indexed content); several if the result depends on the
 * machine's speed.
 */
export type AllowedOutcomes = (string | 300)[];

const sentence = 'We open at nine and close at six, from Monday to Friday, except on public holidays. ';
const htmlPage = (body: string) => `<!doctype html><html><title>A page</title><body>${body}</body></html>`;
const times = (count: number, text: string | ((index: number) => string)) =>
  typeof text === 'string' ? text.repeat(count) : Array.from({ length: count }, (_, index) => text(index)).join('');
const pageOfType = (contentType: string, body: string | Uint8Array): FakePage => ({
  headers: { 'content-type': contentType },
  body,
});

/** Hostile content by path: the page and its allowed results. */
export const HOSTILE_PAGES: Record<string, [page: () => FakePage, ends: AllowedOutcomes]> = {
  '/wrong-charset': [() => pageOfType('text/html; charset=utf-16', htmlPage(`<p>${sentence}</p>`)), [300]],
  '/unknown-charset': [() => pageOfType('text/html; charset=klingon', htmlPage(`<p>${sentence}</p>`)), [300]],
  '/latin-as-utf-8': [
    () => pageOfType('text/html; charset=utf-8', Buffer.from(`<p>Bücher: ${sentence}</p>`, 'latin1')),
    [300],
  ],
  '/malformed': [() => `<p><b>${sentence}</i><table><td><!-- <p a="b>${sentence}</p></div><<<>&&;`, [300]],
  '/nested': [() => htmlPage(`${times(100_000, '<div>')}${sentence}`), [300, 'PARSE_TIMEOUT']],
  '/one-line': [() => htmlPage(`<p>${times(4_000, 'word'.repeat(10))}</p>`), [300]],
  '/huge-table': [
    () =>
      htmlPage(
        `<table>${times(4_000, (index) => `<tr><td>${index}<td>name ${index}<td>${sentence.slice(0, 40)}`)}</table>`,
      ),
    [300, 'PARSE_TIMEOUT'],
  ],
  '/huge-attribute': [() => htmlPage(`<p class="${times(500_000, 'a ')}">${sentence}</p>`), [300]],
  '/unclosed-script': [() => htmlPage(`<script>${times(100_000, 'x = 1; ')}`), ['NO_TEXT']],
  '/end-tags': [() => times(300_000, '<a>') + times(300_000, '</b>'), ['NO_TEXT', 'PARSE_TIMEOUT']],
  '/binary': [() => pageOfType('text/html', randomBytes(200_000)), ['NOT_TEXT']],
  '/image': [() => pageOfType('text/html', Buffer.from('89504e470d0a1a0a0000000d', 'hex')), ['NOT_TEXT']],
  '/empty': [() => '', ['NO_TEXT']],
};

/** The allowed results of pages with hostile responses, such as endless ones, by path in hostile-site.ts. */
export const HOSTILE_RESPONSES: Record<string, AllowedOutcomes> = {
  '/silent': ['TIMEOUT'],
  '/slow-headers': ['TIMEOUT'],
  '/slow-body': ['TIMEOUT'],
  '/endless-body': ['TOO_LARGE'],
  '/endless-crumbs': ['BODY_TOO_FRAGMENTED'],
  '/endless-headers': ['CONNECTION_FAILED'],
  '/huge': ['TOO_LARGE'],
  '/gzip-bomb': ['TOO_LARGE'],
  '/brotli-bomb': ['TOO_LARGE'],
  '/empty-members': ['TOO_LARGE'],
  '/chained-encodings': ['BAD_ENCODING'],
  '/not-gzip': ['BAD_ENCODING'],
  '/redirect-loop': ['TOO_MANY_REDIRECTS'],
  '/cut-off': ['CONNECTION_FAILED'],
  '/hangs-up': ['CONNECTION_FAILED'],
  '/not-http': ['INVALID_HTTP_RESPONSE'],
};

const urlset = (count: number, prefix = 'page') =>
  `<urlset>${times(count, (index) => `<url><loc>https://a.test/${prefix}-${index}</loc></url>`)}</urlset>`;
const indexOf = (urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
const entityBomb = (level: number) => `<!ENTITY l${level} "${`&l${level - 1};`.repeat(10)}">`;

/**
 * The expected result of converting a sitemap to a list: the number of pages in the list, and the error codes. `A|B`
 * allows either code.
 */
export type SitemapResult = { sites: number; errors: string[] };

/** Hostile sitemaps by path: the file (`urlOf` returns addresses on the same site) and the expected result. */
export const HOSTILE_SITEMAPS: Record<
  string,
  [page: (urlOf: (path: string) => string) => FakePage, ends: SitemapResult]
> = {
  '/laughs.xml': [
    () =>
      `<!DOCTYPE urlset [<!ENTITY l0 "lol">${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(entityBomb).join('')}]><urlset><url><loc>&l9;</loc></url></urlset>`,
    { sites: 0, errors: ['DOCTYPE_REFUSED'] },
  ],
  '/external.xml': [
    () => '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/hostname">]><urlset><url><loc>&x;</loc></url></urlset>',
    { sites: 0, errors: ['DOCTYPE_REFUSED'] },
  ],
  '/50000.xml': [() => urlset(50_000), { sites: 50_000, errors: [] }],
  '/60000.xml.gz': [
    () => pageOfType('application/gzip', gzipSync(urlset(60_000))),
    { sites: 50_000, errors: ['TOO_MANY_SITEMAPS'] },
  ],
  '/index-501.xml': [
    (urlOf) => indexOf(Array.from({ length: 501 }, (_, file) => urlOf(`/part-${file}.xml`))),
    { sites: 5_000, errors: ['TOO_MANY_SITEMAPS'] },
  ],
  '/index-full.xml': [
    (urlOf) => indexOf([urlOf('/50000.xml'), ...Array.from({ length: 20 }, (_, file) => urlOf(`/part-${file}.xml`))]),
    { sites: 50_000, errors: ['TOO_MANY_SITEMAPS'] },
  ],
  '/index-loop.xml': [(urlOf) => indexOf([urlOf('/index-loop.xml')]), { sites: 0, errors: ['SITEMAP_INDEX_TOO_DEEP'] }],
  '/page.xml': [() => htmlPage(sentence), { sites: 0, errors: ['UNKNOWN_SITEMAP'] }],
  '/bomb.xml.gz': [
    () => pageOfType('application/gzip', gzipSync(Buffer.alloc(60_000_000, ' '))),
    { sites: 0, errors: ['TOO_LARGE'] },
  ],
  '/nested.xml': [() => `<urlset>${times(1_000_000, '<url>')}`, { sites: 0, errors: ['SITEMAP_TOO_NESTED'] }],
  '/gone.xml': [() => ({ status: 404 }), { sites: 0, errors: ['HTTP_404'] }],
};

/** The expected results of sitemaps with hostile responses, by path in hostile-site.ts. */
export const HOSTILE_SITEMAP_RESPONSES: Record<string, SitemapResult> = {
  '/silent': { sites: 0, errors: ['TIMEOUT'] },
  '/slow-body': { sites: 0, errors: ['TIMEOUT'] },
  '/endless-body': { sites: 0, errors: ['TOO_LARGE|TIMEOUT'] },
  '/endless-crumbs': { sites: 0, errors: ['BODY_TOO_FRAGMENTED'] },
  '/brotli-bomb': { sites: 0, errors: ['UNKNOWN_SITEMAP'] },
  '/empty-members': { sites: 0, errors: ['TOO_LARGE|TIMEOUT'] },
  '/redirect-loop': { sites: 0, errors: ['TOO_MANY_REDIRECTS'] },
  '/hangs-up': { sites: 0, errors: ['CONNECTION_FAILED'] },
};

/** The sitemaps that `/index-501.xml` lists. */
export const sitemapParts = (count: number): Record<string, FakePage> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`/part-${index}.xml`, urlset(10, `part-${index}`)]));
