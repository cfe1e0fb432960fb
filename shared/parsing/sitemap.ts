/** Parses sitemaps according to the protocol and to common practice. A DOCTYPE is refused before parsing. */
import { gunzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { AppError } from '#shared/errors.ts';
import { decodeText } from './charset.ts';
import type { ParsedSitemap, ParsingLimits } from './parsing-tasks.ts';
import { UrlList } from './url-list.ts';

const HTML_PAGE = /^\s*(<!doctype\s+html\s*>|<html[\s>])/i;
/** A DOCTYPE, or a declaration that belongs in one, wherever it occurs. */
const DECLARATION = /<![a-z]/i;
const KIND_BY_ROOT = new Map<string, ParsedSitemap['kind']>([
  ['urlset', 'urlset'],
  ['sitemapindex', 'index'],
]);
/**
 * Only a `loc` that is a direct child of its entry is a URL; `image:loc` is not. After a superfluous end tag, the
 * parser's path does not contain the root element, so the root is optional here.
 */
const URL_PATH = /^((urlset|sitemapindex)\.)?(url|sitemap)\.loc$/i;
/** The name of a root element as the parser reads it: followed by the slash in `<urlset/>`. */
const ROOT_NAME = /^(urlset|sitemapindex)\/?$/i;
const URL_LINE = /^https?:\/\/\S+$/i;
/** Maximum nesting depth of elements. The protocol has three levels, and its extensions have a few more. */
const MAX_DEPTH = 100;
/**
 * Longer text is left out, because the parser appends character by character, which uses 32 times as much memory as the
 * text itself.
 */
const MAX_TEXT_CHARACTERS = 1_000_000;

const tooNestedError = () =>
  new AppError(
    422,
    'SITEMAP_TOO_NESTED',
    `The sitemap nests elements more than ${MAX_DEPTH} levels deep; check it for missing end tags.`,
  );

const unknownSitemapError = (what: string) =>
  new AppError(422, 'UNKNOWN_SITEMAP', `The file is ${what}, neither a urlset nor a sitemapindex.`);

const notUrlsError = () => unknownSitemapError('text that is not one URL per line');

/**
 * Returns the URLs of a sitemap file: XML, or one URL per line, plain or compressed with gzip. Throws
 * `DOCTYPE_REFUSED`, `UNKNOWN_SITEMAP`, `SITEMAP_TOO_NESTED`, `TOO_LARGE` or, for binary data, `NOT_TEXT`.
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
      `The sitemap has more than ${maxBytes} bytes; split it and list the parts in a sitemap index.`,
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

/** Reads the URLs of an XML file, up to its first error or until the list is full. */
function readXml(xml: string, maxUrls: number): ParsedSitemap {
  if (DECLARATION.test(xml))
    throw new AppError(422, 'DOCTYPE_REFUSED', 'The sitemap has a DOCTYPE or declares entities, which are refused.');
  const text = withoutLongTexts(xml);
  const reader = new UrlReader(maxUrls);
  try {
    reader.parser.parse(text);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The list is full, or the rest of the file is not XML. The URLs read so far are the result.
  }
  reader.endUrl();
  const kind = KIND_BY_ROOT.get(reader.root ?? '');
  if (!kind)
    throw unknownSitemapError(reader.root ? `XML with the root element <${reader.root.slice(0, 40)}>` : 'not XML');
  const { urls, isTruncated } = reader.list;
  const truncated = isTruncated || text.length < xml.length;
  return { kind, urls, truncated, isBroken: !reader.isRootClosed && !isTruncated };
}

/** Removes the text after a tag if it is too long. */
const withoutLongTexts = (xml: string): string =>
  xml
    .split('<')
    .map((part) => (part.length > MAX_TEXT_CHARACTERS ? part.slice(0, part.indexOf('>') + 1) : part))
    .join('<');

/** Collects the URLs while the file is parsed, so that no document tree is built. */
class UrlReader {
  readonly list: UrlList;
  root: string | undefined;
  #url = '';
  #isRootClosed = false;
  /** Whether the name that was read last names a root element, and `updateTag` has not been called for it. */
  #isRootName = false;

  readonly parser = new XMLParser({
    removeNSPrefix: true,
    ignoreDeclaration: true,
    ignorePiTags: true,
    parseTagValue: false,
    htmlEntities: true,
    jPath: false,
    maxNestedTags: MAX_DEPTH + 1,
    // Called once for the name in a start tag or an end tag, and twice for the name of an empty element.
    transformTagName: (name) => {
      this.#isRootClosed = this.isRootClosed;
      this.#isRootName = ROOT_NAME.test(name);
      return name;
    },
    // Called for the name in a start tag or of an empty element, after `transformTagName`.
    updateTag: (name, path) => {
      this.#isRootName = false;
      this.root ??= name.toLowerCase();
      if (!KIND_BY_ROOT.has(this.root)) throw new Error('The file is not a sitemap');
      if (typeof path !== 'string' && path.getDepth() > MAX_DEPTH) throw tooNestedError();
      this.endUrl();
      if (this.list.isTruncated) throw new Error('The list is full');
      return false;
    },
    tagValueProcessor: (_name, value, path) => {
      if (URL_PATH.test(typeof path === 'string' ? path : path.toString('.', false))) this.#url += value;
      return '';
    },
  });

  constructor(maxUrls: number) {
    this.list = new UrlList(maxUrls);
  }

  /** Whether the end tag of a root element, or an empty root element, has been read. */
  get isRootClosed(): boolean {
    return this.#isRootClosed || this.#isRootName;
  }

  /** Adds the URL that was read last to the list. */
  endUrl(): void {
    const url = this.#url.trim();
    this.#url = '';
    if (url) this.list.add(url);
  }
}

/** Reads one URL per line until the list is full. */
function readLines(text: string, maxUrls: number): ParsedSitemap {
  const list = new UrlList(maxUrls);
  // The lines are read one at a time, because an array of millions of blank lines would use too much memory.
  for (const [line] of text.matchAll(/\S[^\n]*/g)) {
    const url = line.trimEnd();
    if (!URL_LINE.test(url)) throw notUrlsError();
    if (!list.add(url)) break;
  }
  if (!list.urls.length && !list.isTruncated) throw notUrlsError();
  return { kind: 'urlset', urls: list.urls, truncated: list.isTruncated, isBroken: false };
}
