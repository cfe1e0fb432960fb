/** A fetched page, or a typed text, to its chunks. */
import { AppError } from '#shared/errors.ts';
import type { Block } from './blocks.ts';
import { decode } from './charset.ts';
import { chunksOf } from './chunks.ts';
import { blocksOf } from './html-blocks.ts';
import { mainText } from './main-text.ts';
import { readMarkdown } from './markdown.ts';
import type { PageInput, ParsedPage, TextInput } from './protocol.ts';

const NOT_TEXT = /^(image|audio|video|font)\/(?!svg)|^application\/(pdf|zip|gzip|x-tar|msword|vnd\.)/i;
/** Characters; what goes on longer is no title. */
const LONGEST_TITLE = 300;
const HTML = /html|xml/i;
const LOOKS_LIKE_HTML = /^\s*(<\?xml|<!--|<!doctype\s+html|<(html|head|body|div|main|p|title|meta)\b)/i;

/** The chunks of a page; throws `NOT_TEXT` for binary data and `NO_TEXT` for a page that says nothing without its scripts. */
export async function parsePage({ body, contentType, url }: PageInput, chunkTokens: number): Promise<ParsedPage> {
  if (NOT_TEXT.test(contentType))
    throw new AppError(
      422,
      'NOT_TEXT',
      `The source is ${contentType.slice(0, 80)}, not text or HTML; link a page that can be read as text.`,
    );
  const text = decode(body, contentType);
  const isHtml = contentType.startsWith('text/')
    ? HTML.test(contentType)
    : HTML.test(contentType) || LOOKS_LIKE_HTML.test(text);
  const page = isHtml
    ? await parseHtml(text, nameOf(url), chunkTokens)
    : entitled(readMarkdown(text), nameOf(url), chunkTokens);
  if (page.chunks.length === 0)
    throw new AppError(
      422,
      'NO_TEXT',
      'The page holds no text; a page that needs JavaScript to show any cannot be read.',
    );
  return page;
}

async function parseHtml(html: string, name: string, chunkTokens: number): Promise<ParsedPage> {
  const { root, title, language } = await mainText(html);
  return {
    language,
    ...entitled(blocksOf(root), title.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE) || name, chunkTokens),
  };
}

/** The chunks of a Markdown or plain text; none for an empty one. */
export function parseText({ text, title }: TextInput, chunkTokens: number): ParsedPage {
  const blocks = readMarkdown(text);
  return title ? { title, chunks: chunksOf(title, blocks, chunkTokens) } : entitled(blocks, '', chunkTokens);
}

/** A text under its own first heading of the highest level, or else under the title it was given. */
function entitled(blocks: Block[], otherwise: string, chunkTokens: number): ParsedPage {
  const heading = blocks.find((block) => block.kind === 'heading' && block.level === 1);
  const title = heading?.kind === 'heading' ? heading.text.slice(0, LONGEST_TITLE) : otherwise;
  return { title, chunks: chunksOf(title, blocks, chunkTokens) };
}

/** The last part of an address, as words. */
function nameOf(url: string): string {
  const last = URL.parse(url)?.pathname.split('/').findLast(Boolean) ?? '';
  return last.replace(/\.\w+$/, '').replace(/[-_]+/g, ' ');
}
