/** Cuts the quoted history out of the text of a reply. */
import { attributionEndingAt } from './attributions.ts';
import { isHeaderBlock } from './header-blocks.ts';
import { isQuotedLine } from './marker-lines.ts';
import { isForwardLine, isOriginalMessageLine, isRuleOrBlank } from './separators.ts';
import { isSignature } from './signatures.ts';

/** Consecutive lines: either a quote and its attribution (the line that introduces it), or the author's own text. */
interface Segment {
  isQuote: boolean;
  lines: string[];
}

const isBlank = (line: string): boolean => line.trim() === '';
const hasText = (lines: string[]): boolean => lines.some((line) => !isBlank(line));

const nextTextLine = (lines: string[], from: number): string | undefined => {
  let index = from;
  while (index < lines.length && isBlank(lines[index] as string)) index += 1;
  return lines[index];
};

/** Returns the first of the consecutive separators, rules (such as `____`) and blank lines directly before a line. */
const startOfSeparator = (lines: string[], before: number): number => {
  let first = before;
  while (first > 0 && (isRuleOrBlank(lines[first - 1] as string) || isOriginalMessageLine(lines[first - 1] as string)))
    first -= 1;
  return first;
};

/** Returns the line at which an email that is quoted without `>` begins; null if there is none. */
const unmarkedQuoteStart = (lines: string[]): number | null => {
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as string;
    if (isForwardLine(line)) return null;
    if (isOriginalMessageLine(line) || isHeaderBlock(lines, index)) return startOfSeparator(lines, index);
    const attribution = isQuotedLine(line) ? null : attributionEndingAt(lines, index);
    const isUnmarked = attribution?.isSpecific && !isQuotedLine(nextTextLine(lines, index + 1) ?? '>');
    if (isUnmarked) return startOfSeparator(lines, attribution.first);
  }
  return null;
};

/**
 * Returns, for each line, whether it is part of a quote: a line with `>`, a line of the attribution before it, or a
 * blank line after a line of a quote.
 */
const quotedLines = (lines: string[]): boolean[] => {
  const isQuoted = lines.map(isQuotedLine);
  lines.forEach((_, index) => {
    const attribution = isQuoted[index] ? null : attributionEndingAt(lines, index);
    if (!attribution || !isQuotedLine(nextTextLine(lines, index + 1) ?? '')) return;
    isQuoted.fill(true, attribution.first, attribution.last + 1);
  });
  for (let index = 1; index < lines.length; index += 1)
    if (isBlank(lines[index] as string)) isQuoted[index] = isQuoted[index - 1] as boolean;
  return isQuoted;
};

const toSegments = (lines: string[]): Segment[] => {
  const isQuoted = quotedLines(lines);
  const segments: Segment[] = [];
  lines.forEach((line, index) => {
    const last = segments.at(-1);
    if (last && last.isQuote === isQuoted[index]) last.lines.push(line);
    else segments.push({ isQuote: isQuoted[index] as boolean, lines: [line] });
  });
  return segments.filter(({ isQuote, lines: own }) => isQuote || hasText(own));
};

/** Removes the quotes and signatures at the end of a text. */
const withoutTrailingQuotes = (segments: Segment[]): Segment[] => {
  const end = segments.findLastIndex(({ isQuote, lines }, index) => !isQuote && (index === 0 || !isSignature(lines)));
  return segments.slice(0, end + 1);
};

/**
 * Cuts the quotes marked with `>` after the reply, and the quote before it if the whole reply follows that quote.
 * Quotes between parts of a reply stay, because the reply cannot be understood without them.
 */
const cutMarkedQuotes = (lines: string[]): string[] => {
  const segments = withoutTrailingQuotes(toSegments(lines));
  const [first, second] = segments;
  const isBottomPosting = segments.length === 2 && first?.isQuote === true;
  return (isBottomPosting ? [second as Segment] : segments).flatMap((segment) => segment.lines);
};

const cutUnmarkedQuote = (lines: string[]): string[] => {
  const start = unmarkedQuoteStart(lines);
  const before = start === null ? [] : lines.slice(0, start);
  return hasText(before) ? before : lines;
};

const forwardStart = (lines: string[]): number => {
  const start = lines.findIndex(isForwardLine);
  return start < 0 ? lines.length : start;
};

/**
 * Returns the text of a reply without the emails that it quotes. Forwarded emails stay, and so does a text that
 * consists only of quotes.
 */
export const cutQuote = (text: string): string => {
  const lines = text.split('\n');
  const ownLines = cutUnmarkedQuote(lines);
  const forward = forwardStart(ownLines);
  // The heading of a forwarded email and all text after it stay unchanged.
  const kept = [...cutMarkedQuotes(ownLines.slice(0, forward)), ...ownLines.slice(forward)];
  return (hasText(kept) ? kept : lines).join('\n').trim();
};
