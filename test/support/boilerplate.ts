/** Finds lines that a site repeats on most pages: navigation, header, footer and licence. */

/** The number of pages that contain each line. */
const countPagesWithLine = (pages: string[][]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const line of pages.flatMap((lines) => [...new Set(lines)])) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
};

const textsBetweenTags = (html: string): string[] =>
  html
    .replace(/<(script|style|head)\b.*?<\/\1>/gs, '')
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter(Boolean);

const HEADING_OR_FENCE = /^\s*(#|```)/;
const MARKERS = /^[\s>*\-+\d.|]+|[*_`[\]|]/g;

/** The lines of a chunk, excluding headings; Markdown markers are removed. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !HEADING_OR_FENCE.test(line))
    .map((line) => line.replace(MARKERS, '').trim())
    .filter(Boolean);

/** Texts that occur on more than half of the pages of a site. */
export const repeatedTexts = (pages: string[]): Set<string> => {
  const onMost = [...countPagesWithLine(pages.map(textsBetweenTags))].filter(([, count]) => count > pages.length / 2);
  return new Set(onMost.map(([text]) => text));
};

/** The chunks with a line that is in `repeated` or occurs in the chunks of more than half of the pages. */
export const chunksWithBoilerplate = <P extends { text: string; content: string }>(
  repeated: Set<string>,
  chunks: P[],
): P[] => {
  const pages = [...Map.groupBy(chunks, ({ content }) => content).values()];
  const shared = countPagesWithLine(pages.map((page) => page.flatMap(({ text }) => linesOf(text))));
  const isRepeated = (line: string) => repeated.has(line) || (shared.get(line) ?? 0) > pages.length / 2;
  return chunks.filter(({ text }) => linesOf(text).some(isRepeated));
};
