/** Parses a fetched page, or a text entered by a person, into chunks. */
import { AppError } from '../errors.ts';
import type { Block } from './blocks.ts';
import { decodeText } from './charset.ts';
import { toChunks } from './chunks.ts';
import { htmlToBlocks } from './html-blocks.ts';
import { parseHtml } from './html-document.ts';
import { extractMainText, takeTitle } from './main-text.ts';
import { readMarkdown } from './markdown.ts';
import type { PageInput, ParsedPage, TextInput } from './parsing-tasks.ts';
import { hasSelection, selectedElements } from './selected-elements.ts';

const NOT_TEXT_TYPE = /^(image|audio|video|font)\/(?!svg)|^application\/(pdf|zip|gzip|x-tar|msword|vnd\.)/i;
/** Maximum number of characters of a title; the rest is cut off. */
export const MAX_TITLE_CHARACTERS = 300;
const HTML_TYPE = /html|xml/i;
const LOOKS_LIKE_HTML = /^\s*(<\?xml|<!--|<!doctype\s+html|<(html|head|body|div|main|p|title|meta)\b)/i;

/**
 * Parses a page into chunks. Throws `NOT_TEXT` for binary data and `NO_TEXT` for a page that shows no text without
 * JavaScript.
 */
export async function parsePage(input: PageInput, chunkTokens: number): Promise<ParsedPage> {
  const { body, contentType, url } = input;
  if (NOT_TEXT_TYPE.test(contentType))
    throw new AppError(
      422,
      'NOT_TEXT',
      `The source is ${contentType.slice(0, 80)}, not text or HTML; link to a page that can be read as text.`,
    );
  const text = decodeText(body, contentType);
  const isHtml = contentType.startsWith('text/')
    ? HTML_TYPE.test(contentType)
    : HTML_TYPE.test(contentType) || LOOKS_LIKE_HTML.test(text);
  const page = isHtml
    ? await parseHtmlPage(text, { ...input, title: titleFromUrl(url) }, chunkTokens)
    : toParsedPage(readMarkdown(text), titleFromUrl(url), chunkTokens);
  if (page.chunks.length === 0)
    throw new AppError(422, 'NO_TEXT', 'The page contains no text; text that only JavaScript displays cannot be read.');
  return page;
}

type HtmlOptions = Pick<PageInput, 'wholePage' | 'options'> & { title: string };

/** Returns the parts of a page that are read: the main part, the elements that the options select, or everything. */
async function readableParts(html: string, { wholePage, options }: Omit<HtmlOptions, 'title'>) {
  if (!wholePage && !hasSelection(options)) {
    const { root, ...page } = await extractMainText(html);
    return { ...page, nodes: root.children };
  }
  const { $, body } = parseHtml(html);
  const page = { $, title: takeTitle($, body) };
  if (!hasSelection(options)) return { ...page, nodes: body.children };
  const roots = selectedElements($, body, options);
  return { ...page, nodes: roots[0] === body ? body.children : roots };
}

/** Parses HTML into chunks. `title` is used if the page has neither a level-1 heading nor a title. */
export async function parseHtmlPage(
  html: string,
  { title: fallbackTitle, ...options }: HtmlOptions,
  chunkTokens: number,
): Promise<ParsedPage> {
  const { $, nodes, title } = await readableParts(html, options);
  return toParsedPage(
    htmlToBlocks($, nodes),
    title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARACTERS) || fallbackTitle,
    chunkTokens,
  );
}

/** Parses Markdown or plain text into chunks; an empty string has no chunks. */
export function parseText({ text, title }: TextInput, chunkTokens: number): ParsedPage {
  const blocks = readMarkdown(text);
  return title ? { title, chunks: toChunks(title, blocks, chunkTokens) } : toParsedPage(blocks, '', chunkTokens);
}

/** Chunks a text under its first level-1 heading, or under `fallbackTitle` if it has none. */
export function toParsedPage(blocks: Block[], fallbackTitle: string, chunkTokens: number): ParsedPage {
  const heading = blocks.find((block) => block.kind === 'heading' && block.level === 1);
  const title = heading?.kind === 'heading' ? heading.text.slice(0, MAX_TITLE_CHARACTERS) : fallbackTitle;
  return { title, chunks: toChunks(title, blocks, chunkTokens) };
}

/** Returns the last segment of a URL's path as words. */
function titleFromUrl(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').findLast(Boolean) ?? '';
  return last.replace(/\.\w+$/, '').replace(/[-_]+/g, ' ');
}
