/**
 * Splits a text into chunks with a regular expression that the caller provides. Must run in the parsing thread, whose
 * time and memory are limited.
 */
import { AppError } from '#shared/errors.ts';
import { type Chunk, toChunks } from './chunks.ts';
import { readMarkdown } from './markdown.ts';

const MAX_MATCHES = 50_000;

/** Compiles a pattern in which the dot also matches line breaks. Throws `BAD_PATTERN`. */
const compile = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, 'gs');
  } catch (error) {
    throw new AppError(422, 'BAD_PATTERN', `chunk_regex is not a regular expression: ${(error as Error).message}`);
  }
};

/**
 * Returns the chunks of a text. If the pattern has two groups, the first matches a heading and the second its text. If
 * it has one group, this group matches the text. If nothing matches, the text is split like text without a pattern.
 */
export const splitByPattern = (
  text: string,
  { pattern, title, chunkTokens }: { pattern: string; title: string; chunkTokens: number },
): Chunk[] => {
  const parts = text
    .matchAll(compile(pattern))
    .take(MAX_MATCHES)
    .flatMap(([whole, first, second]) => {
      const content = second ?? first ?? whole;
      const heading = second === undefined ? [] : [{ kind: 'heading' as const, level: 1, text: first?.trim() ?? '' }];
      return content.trim() ? [[...heading, ...readMarkdown(content)]] : [];
    })
    .toArray();
  if (!parts.length) return toChunks(title, readMarkdown(text), chunkTokens);
  return parts.flatMap((blocks) => toChunks(title, blocks, chunkTokens));
};
