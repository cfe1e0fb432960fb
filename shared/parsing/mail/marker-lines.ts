/** Lines that mail programs write to mark quoted emails. */

/** Longer lines are never markers. The limit also keeps the patterns of markers fast on hostile texts. */
export const MAX_MARKER_CHARACTERS = 400;

/** Whether a line is short enough for a marker and matches the pattern. */
export const matches = (line: string, pattern: RegExp): boolean =>
  line.length <= MAX_MARKER_CHARACTERS && pattern.test(line);

/** Whether a line of plain text is marked as quoted. */
export const isQuotedLine = (line: string): boolean => /^ {0,3}>/.test(line);
