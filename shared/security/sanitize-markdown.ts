/**
 * Sanitizes Markdown from a page, or from a chat model that has read pages. In any renderer, the result shows no images
 * and no HTML, and links only to the hosts of its sources. Fenced code stays unchanged, except in quotes
 * and in texts that are too long or too deeply nested.
 */
import type { MarkdownIt, Token } from 'markdown-it';
import { createParser, normalizeText, parseBlocks } from '../parsing/markdown-parser.ts';

/**
 * What sanitizing keeps. `sources` are the URLs of web pages. An answer of a model keeps links to their hosts, and URLs
 * on these hosts. A quote from a page (`isQuote`) keeps these URLs and placeholders such as `<name>`, but no links.
 */
export interface MarkdownRules {
  sources: string[];
  isQuote?: boolean;
}

/**
 * A link reference definition. A line with text other than a title after the URL is removed only if the URL contains
 * `//`.
 */
const DEFINITION = /^[ \t]*\[(?:\\.|[^\\[\]])+\]:\s*(?:\S*\/\/.*|\S+[ \t]*(?:["'(].*)?)$/gm;
/** A label that some renderers combine with the next block into a link reference definition. */
const EMPTY_DEFINITION = /^([ \t]*)\[((?:\\.|[^\\[\]])+)\]:[ \t]*$/gm;
/** Links and images that the parser does not recognize, but another renderer may. */
const LINK_TARGET = /\]\(([^()\n]*)\)/g;
const IMAGE_LABEL = /!\[[^[\]]*\](?:\[[^[\]]*\])?/g;
const REFERENCE = /\[([^[\]]+)\]\[[^[\]]*\]/g;
const URL_PATTERN =
  /<?(?:[a-z][a-z0-9+.-]{0,30}:\/\/|(?<![a-z0-9])(?:www\.|(?:javascript|data|vbscript):)|\/\/[^\s<>()[\]/]+\.)[^\s<>()[\]]+>?/gi;
/** Closing quotation marks at the end of a URL, which belong to the text around it. */
const CLOSING_MARKS = /["'”“’»›」』]+[.,;:!?]*$/;
const SECOND_URL = /\/\/.*\/\/|[^/]www\./i;
/** Comments, and tags with attributes, closed or not. */
const TAG = /<(?:[!?]|\/?[a-z][a-z0-9-]*[\s/])[^>]*(?:>|$)/gi;
const BARE_TAG = /<\/?[a-z][^\s<>]*>/gi;
/** Tags that have an effect even without attributes. In a quote, any other bare tag is a placeholder. */
const EFFECTIVE_TAG =
  /<\/?(?:a|audio|base|button|embed|form|iframe|img|input|link|math|meta|noscript|object|plaintext|script|style|svg|template|textarea|title|video|xmp)(?:>|$)/gi;

/**
 * Longer texts are truncated, because sanitizing blocks the main thread. A text of this length takes less than 0.1 s,
 * and an answer with the maximum number of tokens is shorter.
 */
const MAX_CHARACTERS = 50_000;
/**
 * A removal may create new links or tags, so passes are repeated until nothing changes. After this many passes, all
 * brackets, code marks and URLs are removed instead.
 */
const MAX_PASSES = 8;

/** Tables and HTML are read as paragraphs, so that their text is sanitized as well. */
const parser = withCodeLinksAndImages(createParser().disable('table'));

/** Makes a parser recognize only code, links and images in a line; the marks of all other inline syntax stay text. */
function withCodeLinksAndImages(markdown: MarkdownIt): MarkdownIt {
  markdown.inline.ruler.enableOnly(['text', 'escape', 'backticks', 'link', 'image']);
  markdown.validateLink = () => true;
  markdown.normalizeLink = (url) => url;
  return markdown;
}

/** Sanitizes a string. Its line endings become `\n`. */
export function sanitizeMarkdown(text: string, { sources, isQuote = false }: MarkdownRules): string {
  const hosts = new Set(sources.map(hostOf).filter((host) => host !== undefined));
  let current = normalizeText(text.slice(0, MAX_CHARACTERS));
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = sanitizeBlocks(current, { hosts, isQuote });
    if (next === undefined) break;
    if (next === current) return next;
    current = next;
  }
  return withoutMarks(current);
}

/** Returns the position of the last paragraph or fenced code in a text that `normalizeText` returned. */
export function lastBlockOf(text: string): { start: number; isCode: boolean } {
  const block = parseBlocks(parser, text)?.findLast(({ type, map }) => map && (type === 'inline' || type === 'fence'));
  const lines = text.split('\n').slice(0, block?.map?.[0] ?? 0);
  return { start: lines.reduce((sum, { length }) => sum + length + 1, 0), isCode: block?.type === 'fence' };
}

/** Removes all brackets, code marks and URLs. */
const withoutMarks = (text: string): string => text.replace(/[[\]<>`~]/g, '').replace(URL_PATTERN, '');

type Rules = { hosts: Set<string>; isQuote: boolean };

/**
 * Sanitizes each paragraph, and each line outside paragraphs and fenced code. Returns undefined if the text is too
 * deeply nested.
 */
function sanitizeBlocks(text: string, rules: Rules): string | undefined {
  const tokens = parseBlocks(parser, text);
  if (!tokens) return undefined;
  const lines = text.split('\n');
  const output: string[] = [];
  let nextLine = 0;
  const sanitizeLinesTo = (end: number) => {
    for (; nextLine < end; nextLine++) output.push(sanitizeInline(lines[nextLine] ?? '', rules));
  };
  for (const { type, map, content } of tokens) {
    if (!map || (type !== 'inline' && (type !== 'fence' || rules.isQuote))) continue;
    const [start, end] = map;
    sanitizeLinesTo(start);
    const block = lines.slice(start, end);
    output.push(...(type === 'fence' ? block : sanitizeParagraph(block, content, rules)));
    nextLine = end;
  }
  sanitizeLinesTo(lines.length);
  return output.join('\n');
}

/**
 * Replaces the content of a paragraph's lines and keeps the text before and after it, such as the `>` of a block quote.
 */
function sanitizeParagraph(lines: string[], content: string, rules: Rules): string[] {
  const sanitized = sanitizeInline(content, rules);
  if (sanitized === content) return lines;
  const contents = content.split('\n');
  const prefixes = contents.map((part, index) => textBefore(part.trim(), lines[index] ?? ''));
  return [
    ...sanitized.split('\n').map((part, index) => (prefixes[index] ?? '') + part.trim()),
    ...lines.slice(contents.length),
  ];
}

const textBefore = (content: string, line: string): string => line.slice(0, Math.max(0, line.lastIndexOf(content)));

function sanitizeInline(content: string, { hosts, isQuote }: Rules): string {
  const isSource = (url: string) => hosts.has(hostOf(url) ?? '');
  const isLinkKept = (url: string) => !isQuote && isSource(url);
  return renderInline(content.replace(DEFINITION, '').replace(EMPTY_DEFINITION, '$1$2:'), isLinkKept)
    .replace(LINK_TARGET, (target, url: string) => (isLinkKept(url) ? target : ']'))
    .replace(IMAGE_LABEL, '')
    .replace(REFERENCE, (reference, label: string) => (/^\d+$/.test(label) ? reference : label))
    .replace(TAG, '')
    .replace(URL_PATTERN, (match) => sourceUrlOrEmpty(match, isSource))
    .replace(isQuote ? EFFECTIVE_TAG : BARE_TAG, '');
}

/** Returns the URL if a source has its host and no other URL starts in it, otherwise only its CLOSING_MARKS. */
function sourceUrlOrEmpty(match: string, isSource: (url: string) => boolean): string {
  const url = match.replace(/^<|>$/g, '');
  return isSource(url) && !SECOND_URL.test(url) ? url : (CLOSING_MARKS.exec(url)?.[0] ?? '');
}

/** Renders inline Markdown without images. A link that is not kept is replaced by its label. */
function renderInline(content: string, isLinkKept: (url: string) => boolean): string {
  const tokens: Token[] = [];
  parser.inline.parse(content, parser, {}, tokens);
  let output = '';
  let link = { start: 0, url: '' };
  for (const token of tokens) {
    if (token.type === 'link_open') link = { start: output.length, url: String(token.attrGet('href') ?? '') };
    else if (token.type !== 'link_close') output += renderToken(token);
    else if (isLinkKept(link.url)) output = withLink(output, link);
  }
  return output;
}

function withLink(output: string, { start, url }: { start: number; url: string }): string {
  const href = (URL.parse(url)?.href ?? '').replaceAll('(', '%28').replaceAll(')', '%29');
  return `${output.slice(0, start)}[${output.slice(start)}](${href})`;
}

function renderToken({ type, content, markup }: Token): string {
  switch (type) {
    case 'image':
      return '';
    case 'text_special':
      return markup;
    case 'code_inline':
      return markup + (/^`|`$/.test(content) ? ` ${content} ` : content) + markup;
    case 'hardbreak':
      return '\\\n';
    default:
      return content;
  }
}

/** Returns the host of a web address; undefined for other URLs, such as `javascript://host/`. */
function hostOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url && /^https?:$/.test(url.protocol) ? url.host : undefined;
}
