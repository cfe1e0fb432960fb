/**
 * Finds a quotation in a text by comparing tokens: words, numbers and symbols that change the meaning. Spaces,
 * punctuation, letter case and Markdown marks are ignored, because models change them.
 */

interface Token {
  value: string;
  start: number;
  end: number;
  /** Whether a quotation may lack the token, because sanitizing an answer removes it. */
  optional: boolean;
}

/** A part of a text, or of a list of tokens. */
export interface TextRange {
  start: number;
  end: number;
}

const MINUS = String.raw`(?<![\p{L}\p{N}])[-−–](?=\p{N})`;
const COMPARISON = String.raw`(?<!^[\s>]{0,20})[<>=≤≥]{1,3}(?=\s?[-\p{N}])`;
const TOKEN = new RegExp(
  String.raw`[\p{L}\p{M}\p{N}]+(?:[.,:]\p{N}+)*(?:\+\+|#)?|${MINUS}|${COMPARISON}|[%‰°$€£¥§@×÷]|#(?=\p{N})`,
  'gmu',
);
/** Matches URLs, HTML tags, placeholders such as `<name>`, and footnote numbers. */
const OPTIONAL_PART = /(?:https?:\/\/|www\.)[^\s<>()[\]]+|<\/?[a-z][^<>\n]{0,200}>|\[\d{1,2}\]/gi;
/** Matches an omission in a quotation. */
const OMISSION = /\[\s*(?:…|\.{3})\s*\]|…|\.{3,}/;
/**
 * A quotation with omissions must have at least this many tokens, and at most this many parts of a single token: almost
 * any long text contains a few given words in the given order, so finding them proves nothing.
 */
const MIN_TOKENS_WITH_OMISSIONS = 4;
const MAX_ONE_TOKEN_PARTS = 1;
/** Maximum number of tokens that an omission may skip. */
const MAX_OMITTED_TOKENS = 100;

const MINUS_SIGNS = /^[−–]$/;
const fold = (token: string): string => token.normalize('NFKC').toLowerCase().replace(MINUS_SIGNS, '-');

/** Splits a text into tokens. */
export function tokenize(text: string): Token[] {
  const optionalParts = [...text.matchAll(OPTIONAL_PART)].map(({ 0: part, index }) => [index, index + part.length]);
  let next = 0;
  return [...text.matchAll(TOKEN)].map(({ 0: value, index: start }) => {
    while ((optionalParts[next]?.[1] ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const optional = (optionalParts[next]?.[0] ?? Number.POSITIVE_INFINITY) <= start;
    return { value: fold(value), start, end: start + value.length, optional };
  });
}

/** Compares the tokens from index `from` on with `wanted`. Returns the index after them, or -1 if they differ. */
function matchAt(tokens: Token[], from: number, wanted: Token[]): number {
  let index = from;
  for (const { value } of wanted) {
    while (tokens[index]?.value !== value && index > from && tokens[index]?.optional) index += 1;
    if (tokens[index]?.value !== value) return -1;
    index += 1;
  }
  return index;
}

/** Returns where a part of a quotation starts and ends among `tokens`. It must start in `range`, if given. */
function findPart(tokens: Token[], wanted: Token[], range?: TextRange): [number, number] | undefined {
  const { start = 0, end: limit = tokens.length } = range ?? {};
  for (let index = start; index < limit; index++) {
    const end = matchAt(tokens, index, wanted);
    if (end >= 0) return [index, end];
  }
  return undefined;
}

/** Finds parts of a quotation in order, at most MAX_OMITTED_TOKENS apart. Tries each occurrence of the first part. */
function findParts(tokens: Token[], [first, ...others]: Token[][]): [number, number] | undefined {
  for (let from = 0; first && from < tokens.length; from++) {
    const match = findPart(tokens, first, { start: from, end: tokens.length });
    if (!match) return undefined;
    let end: number | undefined = match[1];
    for (const part of others) {
      const range: TextRange | undefined =
        end === undefined ? undefined : { start: end, end: end + MAX_OMITTED_TOKENS };
      end = range && findPart(tokens, part, range)?.[1];
    }
    if (end !== undefined) return [match[0], end];
    from = match[0];
  }
  return undefined;
}

/** The tokens of a quotation: all of them, and those of each part between its omissions. */
export interface QuotationTokens {
  whole: Token[];
  parts: Token[][];
}

/** Splits a quotation into tokens. Numbers of passages, such as `[1]`, are not part of it. */
export const quotationTokens = (quotation: string): QuotationTokens => {
  const text = quotation.replace(/\[\d{1,2}\]/g, ' ');
  const parts = text.split(OMISSION).map(tokenize);
  return { whole: tokenize(text), parts: parts.filter(({ length }) => length) };
};

/** Returns where a quotation occurs in the tokens of a text, or undefined. */
export function findTokens(tokens: Token[], { whole, parts }: QuotationTokens): TextRange | undefined {
  if (!whole.length) return undefined;
  const shortParts = parts.filter(({ length }) => length === 1);
  const canBeSplit =
    parts.length > 1 && whole.length >= MIN_TOKENS_WITH_OMISSIONS && shortParts.length <= MAX_ONE_TOKEN_PARTS;
  const match = findPart(tokens, whole) ?? (canBeSplit ? findParts(tokens, parts) : undefined);
  if (!match) return undefined;
  return { start: (tokens[match[0]] as Token).start, end: (tokens[match[1] - 1] as Token).end };
}
