/** The shapes a text is made of, between reading (HTML, Markdown) and cutting into chunks. */

/** A run of one shape. A `table`'s head is its first lines; a `definition` is a term with what is said about it. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'table'; head: string[]; rows: string[] }
  | { kind: 'item'; marker: string; body: Block[] }
  | { kind: 'definition'; term: string; body: Block[] };

/** A block as Markdown. */
export function toMarkdown(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'text':
      return block.text;
    case 'code':
      return fence(block.text, block.language);
    case 'table':
      return [...block.head, ...block.rows].join('\n');
    case 'item':
      return hang(block.marker, block.body);
    case 'definition':
      return block.body.length === 0 ? block.term : `${block.term}\n${hang(': ', block.body)}`;
  }
}

/** Blocks as one Markdown text; `tight` lets a list stand right below the text it hangs on. */
function joinBlocks(blocks: Block[], tight = false): string {
  let text = '';
  blocks.forEach((block, at) => {
    const before = blocks[at - 1];
    const close = block.kind === 'item' && (before?.kind === 'item' || (tight && before?.kind === 'text'));
    text += (at === 0 ? '' : close ? '\n' : '\n\n') + toMarkdown(block);
  });
  return text;
}

/** Code between fences that are longer than any inside it. */
export function fence(code: string, language: string): string {
  const longest = code.match(/`{3,}/g)?.reduce((most, { length }) => Math.max(most, length), 0) ?? 2;
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${code}\n${ticks}`;
}

/** A body behind its marker, its further lines indented by the marker's width. */
function hang(marker: string, body: Block[]): string {
  const indent = ' '.repeat(marker.length);
  return marker + joinBlocks(body, true).replace(/\n(?=[^\n])/g, `\n${indent}`);
}
