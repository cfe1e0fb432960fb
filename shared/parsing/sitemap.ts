/** Parses sitemaps according to the protocol and to common practice. Custom entities are refused. */
import { gunzipSync } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { AppError } from '#shared/errors.ts';
import { decodeText } from './charset.ts';
import type { ParsedSitemap, ParsingLimits } from './parsing-tasks.ts';
import { UrlList } from './url-list.ts';

const HTML_PAGE = /^\s*(<!doctype\s+html\s*>|<html[\s>])/i;
const KIND_BY_ROOT = new Map<string, ParsedSitemap['kind']>([
  ['urlset', 'urlset'],
  ['sitemapindex', 'index'],
]);
const ENTRY_NAMES = new Set(['url', 'sitemap']);
const SLICE_CHARS = 65_536;
/**
 * The most levels of elements. The protocol has three and its extensions a few more; parsing time grows with the square
 * of the depth.
 */
const MAX_DEPTH = 100;

const tooNestedError = () =>
  new AppError(422, 'SITEMAP_TOO_NESTED', `The sitemap has elements more than ${MAX_DEPTH} levels deep; close them.`);

const unknownSitemapError = (what: string) =>
  new AppError(422, 'UNKNOWN_SITEMAP', `The file is ${what}, neither a urlset nor a sitemapindex.`);

/**
 * Returns the URLs of a sitemap file: XML, or one URL per line, plain or gzip. Throws `DOCTYPE_REFUSED`,
 * `UNKNOWN_SITEMAP`, `SITEMAP_TOO_NESTED` or `TOO_LARGE`.
 */
export function parseSitemap(
  body: Uint8Array,
  { sitemapBytes, sitemapUrls }: Omit<ParsingLimits, 'chunkTokens'>,
): ParsedSitemap {
  const text = decodeText(inflate(body, sitemapBytes));
  if (HTML_PAGE.test(text)) throw unknownSitemapError('an HTML page');
  return text.trimStart().startsWith('<') ? readXml(text, sitemapUrls) : readLines(text, sitemapUrls);
}

function inflate(body: Uint8Array, maxBytes: number): Uint8Array {
  const tooLarge = () =>
    new AppError(
      422,
      'TOO_LARGE',
      `The sitemap has more than ${maxBytes} bytes; split it and list the parts in an index.`,
    );
  if (body[0] !== 0x1f || body[1] !== 0x8b) {
    if (body.byteLength > maxBytes) throw tooLarge();
    return body;
  }
  try {
    // A single output buffer: thousands of small ones would fragment the memory of the process.
    return gunzipSync(body, { maxOutputLength: maxBytes, chunkSize: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw new AppError(422, 'UNKNOWN_SITEMAP', 'The file is damaged gzip data.');
  }
}

/**
 * Reads URLs until the list is full. A URL counts only as a `loc` that is a direct child of its entry, unlike
 * `image:loc`.
 */
function readXml(text: string, maxUrls: number): ParsedSitemap {
  const list = new UrlList(maxUrls);
  const path: string[] = [];
  let root: string | undefined;
  let url = '';
  let truncated = false;
  const parser = new Parser(
    {
      onprocessinginstruction(name) {
        if (name.startsWith('!'))
          throw new AppError(
            422,
            'DOCTYPE_REFUSED',
            'The sitemap has a DOCTYPE or declares entities, which are refused.',
          );
      },
      onopentag(name) {
        const local = name.slice(name.indexOf(':') + 1).toLowerCase();
        root ??= local;
        if (path.push(local) > MAX_DEPTH) throw tooNestedError();
        url = '';
      },
      ontext(part) {
        if (path.length === 3 && path[2] === 'loc') url += part;
      },
      onclosetag() {
        if (path.length === 3 && path[2] === 'loc' && ENTRY_NAMES.has(path[1] ?? '') && url.trim())
          truncated = !list.add(url.trim()) || truncated;
        path.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < text.length && !truncated && (!root || KIND_BY_ROOT.has(root)); at += SLICE_CHARS)
    parser.write(text.slice(at, at + SLICE_CHARS));
  const kind = KIND_BY_ROOT.get(root ?? '');
  if (!kind) throw unknownSitemapError(root ? `XML of the kind <${root.slice(0, 40)}>` : 'not XML');
  return { kind, urls: list.urls, truncated };
}

function readLines(text: string, maxUrls: number): ParsedSitemap {
  const lines = text
    .split('\n', maxUrls * 2 + 1)
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0 || !lines.every((line) => /^https?:\/\/\S+$/i.test(line)))
    throw unknownSitemapError('a text that is not one address a line');
  const list = new UrlList(maxUrls);
  const truncated = !lines.every((line) => list.add(line));
  return { kind: 'urlset', urls: list.urls, truncated };
}
