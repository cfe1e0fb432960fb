/** Sitemaps as the protocol defines them, and as sites really write them; entities expand to nothing but themselves. */
import { gunzipSync } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { AppError } from '#shared/errors.ts';
import { AddressList } from './address-list.ts';
import { decode } from './charset.ts';
import type { Limits, ParsedSitemap } from './protocol.ts';

const HTML_PAGE = /^\s*(<!doctype\s+html\s*>|<html[\s>])/i;
const ROOTS = new Map<string, ParsedSitemap['kind']>([
  ['urlset', 'urlset'],
  ['sitemapindex', 'index'],
]);
const ENTRIES = new Set(['url', 'sitemap']);
const SLICE = 65_536;
/** Levels of elements; the protocol has three, its extensions a few more, and what a reader does grows with their square. */
const DEEPEST = 100;

const tooNested = () =>
  new AppError(422, 'TOO_NESTED', `The sitemap has elements more than ${DEEPEST} levels deep; close them.`);

const unknown = (what: string) =>
  new AppError(422, 'UNKNOWN_SITEMAP', `The file is ${what}, neither a urlset nor a sitemapindex.`);

/** The addresses of a sitemap file: XML or one a line, plain or gzip. Throws `DOCTYPE_REFUSED`, `UNKNOWN_SITEMAP`, `TOO_NESTED`, `TOO_LARGE`. */
export function parseSitemap(
  body: Uint8Array,
  { sitemapBytes, sitemapUrls }: Omit<Limits, 'chunkTokens'>,
): ParsedSitemap {
  const text = decode(inflate(body, sitemapBytes));
  if (HTML_PAGE.test(text)) throw unknown('an HTML page');
  return text.trimStart().startsWith('<') ? readXml(text, sitemapUrls) : readLines(text, sitemapUrls);
}

function inflate(body: Uint8Array, most: number): Uint8Array {
  const tooLarge = () =>
    new AppError(422, 'TOO_LARGE', `The sitemap has more than ${most} bytes; split it and list the parts in an index.`);
  if (body[0] !== 0x1f || body[1] !== 0x8b) {
    if (body.byteLength > most) throw tooLarge();
    return body;
  }
  try {
    // one buffer for all of it: thousands of small ones would leave holes in the memory of the process
    return gunzipSync(body, { maxOutputLength: most, chunkSize: most });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw new AppError(422, 'UNKNOWN_SITEMAP', 'The file is damaged gzip data.');
  }
}

/** Reads until the list is full; an address counts only as the direct child of its entry, which `image:loc` is not. */
function readXml(text: string, most: number): ParsedSitemap {
  const list = new AddressList(most);
  const path: string[] = [];
  let root: string | undefined;
  let address = '';
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
        if (path.push(local) > DEEPEST) throw tooNested();
        address = '';
      },
      ontext(part) {
        if (path.length === 3 && path[2] === 'loc') address += part;
      },
      onclosetag() {
        if (path.length === 3 && path[2] === 'loc' && ENTRIES.has(path[1] ?? '') && address.trim())
          truncated = !list.add(address.trim()) || truncated;
        path.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < text.length && !truncated && (!root || ROOTS.has(root)); at += SLICE)
    parser.write(text.slice(at, at + SLICE));
  const kind = ROOTS.get(root ?? '');
  if (!kind) throw unknown(root ? `XML of the kind <${root.slice(0, 40)}>` : 'not XML');
  return { kind, urls: list.addresses, truncated };
}

function readLines(text: string, most: number): ParsedSitemap {
  const lines = text
    .split('\n', most * 2 + 1)
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0 || !lines.every((line) => /^https?:\/\/\S+$/i.test(line)))
    throw unknown('a text that is not one address a line');
  const list = new AddressList(most);
  const truncated = !lines.every((line) => list.add(line));
  return { kind: 'urlset', urls: list.addresses, truncated };
}
