/** Pages and sitemaps that do harm to whoever reads them, and how each must end. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FakePage } from './fake-site.ts';

/** Ends as a code, 300 where the page is to be indexed; more than one where the speed of the machine decides. */
export type Ends = (string | 300)[];

const sentence = 'We open at nine and close at six, from Monday to Friday, but for the holidays of the state. ';
const whole = (body: string) => `<!doctype html><html><title>A page</title><body>${body}</body></html>`;
const times = (count: number, text: string | ((index: number) => string)) =>
  typeof text === 'string' ? text.repeat(count) : Array.from({ length: count }, (_, at) => text(at)).join('');
const typed = (contentType: string, body: string | Uint8Array): FakePage => ({
  headers: { 'content-type': contentType },
  body,
});

/** Harm in what is read: by path, the page and how it must end. */
export const PAGES: Record<string, [page: () => FakePage, ends: Ends]> = {
  '/wrong-charset': [() => typed('text/html; charset=utf-16', whole(`<p>${sentence}</p>`)), [300]],
  '/unknown-charset': [() => typed('text/html; charset=klingon', whole(`<p>${sentence}</p>`)), [300]],
  '/latin-as-utf-8': [
    () => typed('text/html; charset=utf-8', Buffer.from(`<p>Bücher: ${sentence}</p>`, 'latin1')),
    [300],
  ],
  '/malformed': [() => `<p><b>${sentence}</i><table><td><!-- <p a="b>${sentence}</p></div><<<>&&;`, [300]],
  '/nested': [() => whole(`${times(100_000, '<div>')}${sentence}`), [300, 'PARSE_TIMEOUT']],
  '/one-line': [() => whole(`<p>${times(4_000, 'word'.repeat(10))}</p>`), [300]],
  '/huge-table': [
    () => whole(`<table>${times(4_000, (at) => `<tr><td>${at}<td>name ${at}<td>${sentence.slice(0, 40)}`)}</table>`),
    [300, 'PARSE_TIMEOUT'],
  ],
  '/huge-attribute': [() => whole(`<p class="${times(500_000, 'a ')}">${sentence}</p>`), [300]],
  '/unclosed-script': [() => whole(`<script>${times(100_000, 'x = 1; ')}`), ['NO_TEXT']],
  '/end-tags': [() => times(300_000, '<a>') + times(300_000, '</b>'), ['NO_TEXT', 'PARSE_TIMEOUT']],
  '/binary': [() => typed('text/html', randomBytes(200_000)), ['NOT_TEXT']],
  '/image': [() => typed('text/html', Buffer.from('89504e470d0a1a0a0000000d', 'hex')), ['NOT_TEXT']],
  '/empty': [() => '', ['NO_TEXT']],
};

/** Harm in how it is sent: paths of the hostile site. */
export const WIRE: Record<string, Ends> = {
  '/silent': ['TIMEOUT'],
  '/slow-headers': ['TIMEOUT'],
  '/slow-body': ['TIMEOUT'],
  '/endless-body': ['TOO_LARGE'],
  '/endless-crumbs': ['IN_CRUMBS'],
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
  '/not-http': ['NOT_HTTP'],
};

const urlset = (count: number, prefix = 'page') =>
  `<urlset>${times(count, (at) => `<url><loc>https://a.test/${prefix}-${at}</loc></url>`)}</urlset>`;
const indexOf = (urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
const laughs = (at: number) => `<!ENTITY l${at} "${`&l${at - 1};`.repeat(10)}">`;

/** How a conversion must end: pages listed, and the codes of what could not be read. */
export type Conversion = { sites: number; errors: string[] };

/** Sitemaps by path: what is sent (`at` makes addresses of the same site) and how its conversion must end. */
export const SITEMAPS: Record<string, [page: (at: (path: string) => string) => FakePage, ends: Conversion]> = {
  '/laughs.xml': [
    () =>
      `<!DOCTYPE urlset [<!ENTITY l0 "lol">${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(laughs).join('')}]><urlset><url><loc>&l9;</loc></url></urlset>`,
    { sites: 0, errors: ['DOCTYPE_REFUSED'] },
  ],
  '/external.xml': [
    () => '<!DOCTYPE urlset [<!ENTITY x SYSTEM "file:///etc/hostname">]><urlset><url><loc>&x;</loc></url></urlset>',
    { sites: 0, errors: ['DOCTYPE_REFUSED'] },
  ],
  '/50000.xml': [() => urlset(50_000), { sites: 50_000, errors: [] }],
  '/60000.xml.gz': [() => typed('application/gzip', gzipSync(urlset(60_000))), { sites: 50_000, errors: ['TOO_MANY'] }],
  '/index-501.xml': [
    (at) => indexOf(Array.from({ length: 501 }, (_, file) => at(`/part-${file}.xml`))),
    { sites: 5_000, errors: ['TOO_MANY'] },
  ],
  '/index-full.xml': [
    (at) => indexOf([at('/50000.xml'), ...Array.from({ length: 20 }, (_, file) => at(`/part-${file}.xml`))]),
    { sites: 50_000, errors: ['TOO_MANY'] },
  ],
  '/index-loop.xml': [(at) => indexOf([at('/index-loop.xml')]), { sites: 0, errors: ['TOO_DEEP'] }],
  '/page.xml': [() => whole(sentence), { sites: 0, errors: ['UNKNOWN_SITEMAP'] }],
  '/bomb.xml.gz': [
    () => typed('application/gzip', gzipSync(Buffer.alloc(60_000_000, ' '))),
    { sites: 0, errors: ['TOO_LARGE'] },
  ],
  '/nested.xml': [() => `<urlset>${times(1_000_000, '<url>')}`, { sites: 0, errors: ['TOO_NESTED'] }],
  '/gone.xml': [() => ({ status: 404 }), { sites: 0, errors: ['HTTP_404'] }],
};

/** Harm in how a sitemap is sent: paths of the hostile site. */
export const WIRE_SITEMAPS: Record<string, Conversion> = {
  '/silent': { sites: 0, errors: ['TIMEOUT'] },
  '/slow-body': { sites: 0, errors: ['TIMEOUT'] },
  '/endless-body': { sites: 0, errors: ['TOO_LARGE|TIMEOUT'] },
  '/endless-crumbs': { sites: 0, errors: ['IN_CRUMBS'] },
  '/brotli-bomb': { sites: 0, errors: ['UNKNOWN_SITEMAP'] },
  '/empty-members': { sites: 0, errors: ['TOO_LARGE|TIMEOUT'] },
  '/redirect-loop': { sites: 0, errors: ['TOO_MANY_REDIRECTS'] },
  '/hangs-up': { sites: 0, errors: ['CONNECTION_FAILED'] },
};

/** The files of the index above. */
export const partsOf = (count: number): Record<string, FakePage> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`/part-${at}.xml`, urlset(10, `part-${at}`)]));
