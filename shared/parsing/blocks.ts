/** The blocks of a text: the format between parsing (HTML, Markdown, PDF, CSV) and chunking. */

/** One block. `head`: a table's heading row and the rule below, if any. A definition is a term with its explanation. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'table'; head: string[]; rows: string[] }
  | { kind: 'item'; marker: string; body: Block[] }
  | { kind: 'definition'; term: string; body: Block[] };

/** Renders a block as Markdown. */
export function toMarkdown(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'text':
      return block.text;
    case 'code':
      return fenceCode(block.text, block.language);
    case 'table':
      return [...block.head, ...block.rows].join('\n');
    case 'item':
      return indentBody(block.marker, block.body);
    case 'definition':
      return block.body.length === 0 ? block.term : `${block.term}\n${indentBody(': ', block.body)}`;
  }
}

/** Renders blocks as one Markdown text; with `tight`, a list follows the text before it without a blank line. */
function joinBlocks(blocks: Block[], tight = false): string {
  let text = '';
  blocks.forEach((block, at) => {
    const before = blocks[at - 1];
    const close = block.kind === 'item' && (before?.kind === 'item' || (tight && before?.kind === 'text'));
    text += (at === 0 ? '' : close ? '\n' : '\n\n') + toMarkdown(block);
  });
  return text;
}

/** Renders code between fences that are longer than any fence inside it. */
export function fenceCode(code: string, language: string): string {
  const longest = code.match(/`{3,}/g)?.reduce((max, { length }) => Math.max(max, length), 0) ?? 2;
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${code}\n${ticks}`;
}

/** Renders a body after its marker; further lines are indented by the marker's width. */
function indentBody(marker: string, body: Block[]): string {
  const indent = ' '.repeat(marker.length);
  return marker + joinBlocks(body, true).replace(/\n(?=[^\n])/g, `\n${indent}`);
}
