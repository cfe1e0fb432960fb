/** Cuts the quoted history out of the text of a reply. */
import { attributionEndingAt } from './attributions.ts';
import { isHeaderBlock } from './header-blocks.ts';
import { isQuotedLine } from './marker-lines.ts';
import { isForwardLine, isOriginalMessageLine, isRuleOrBlank } from './separators.ts';
import { isSignature } from './signatures.ts';

/** Consecutive lines that are quoted, with the attribution before them, or that the author wrote. */
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

/** The first line of the separators and rules that end before a line. */
const startOfSeparator = (lines: string[], before: number): number => {
  let first = before;
  while (first > 0 && (isRuleOrBlank(lines[first - 1] as string) || isOriginalMessageLine(lines[first - 1] as string)))
    first -= 1;
  return first;
};

/** Returns where a mail that is quoted without `>` begins; null if there is none. */
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

/** The lines that belong to quotes: those with `>`, the blank ones between them, and their attributions. */
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

/** Removes quotes and signatures from the end. */
const withoutTrailingQuotes = (segments: Segment[]): Segment[] => {
  const end = segments.findLastIndex(({ isQuote, lines }, index) => !isQuote && (index === 0 || !isSignature(lines)));
  return segments.slice(0, end + 1);
};

/**
 * Cuts marked quotes: those after the reply, and the one before it if the whole reply is below. A reply between quotes
 * needs them to be understood, so these stay.
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
 * Returns the text of a reply without the mails that it quotes. Forwarded mails stay, and so does a text that consists
 * of quotes only.
 */
export const cutQuote = (text: string): string => {
  const lines = text.split('\n');
  const ownLines = cutUnmarkedQuote(lines);
  const forward = forwardStart(ownLines);
  // What follows a forwarded mail's heading is kept as it is.
  const kept = [...cutMarkedQuotes(ownLines.slice(0, forward)), ...ownLines.slice(forward)];
  return (hasText(kept) ? kept : lines).join('\n').trim();
};
