/** Lines that a site repeats: navigation, header, footer and licence. */

/** In how many of the pages each line stands. */
const counted = (pages: string[][]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const line of pages.flatMap((lines) => [...new Set(lines)])) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
};

/** Texts between tags, one a line. */
const textsOf = (html: string): string[] =>
  html
    .replace(/<(script|style|head)\b.*?<\/\1>/gs, '')
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter(Boolean);

const HEADING_OR_FENCE = /^\s*(#|```)/;
const MARKERS = /^[\s>*\-+\d.|]+|[*_`[\]|]/g;

/** What a passage says, line by line, without headings and Markdown's marks. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !HEADING_OR_FENCE.test(line))
    .map((line) => line.replace(MARKERS, '').trim())
    .filter(Boolean);

/** Texts that stand on more than half of the pages of a site. */
export const repeatedIn = (pages: string[]): Set<string> => {
  const onMost = [...counted(pages.map(textsOf))].filter(([, count]) => count > pages.length / 2);
  return new Set(onMost.map(([text]) => text));
};

/** The passages that hold such a text as a line of their own, or a line that the passages of most pages share. */
export const stainedBy = <P extends { text: string; content: string }>(repeated: Set<string>, passages: P[]): P[] => {
  const pages = [...Map.groupBy(passages, ({ content }) => content).values()];
  const shared = counted(pages.map((page) => page.flatMap(({ text }) => linesOf(text))));
  const isRepeated = (line: string) => repeated.has(line) || (shared.get(line) ?? 0) > pages.length / 2;
  return passages.filter(({ text }) => linesOf(text).some(isRepeated));
};
