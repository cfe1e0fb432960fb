import { expect } from 'chai';
import fc from 'fast-check';
import { tokenIds, UNKNOWN_TOKEN_ID } from '#shared/embedding/tokenizer.ts';
import type { Block } from '#shared/parsing/blocks.ts';
import { toChunks } from '#shared/parsing/chunks.ts';
import { countTokens } from '#shared/parsing/count-tokens.ts';
import { readMarkdown } from '#shared/parsing/markdown.ts';

const LIMIT = 60;
const word = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-z]{1,12}[.,:]?$/) },
  fc.stringMatching(/^[a-zäß0-9_(){}漢。-]{1,300}$/),
);
const line = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));
const text = line.map((text): Block => ({ kind: 'text', text }));
const code = fc
  .array(line, { minLength: 1, maxLength: 6 })
  .map((lines): Block => ({ kind: 'code', text: lines.join('\n'), language: 'js' }));
const table = fc
  .array(line, { minLength: 1, maxLength: 6 })
  .map((rows): Block => ({ kind: 'table', head: ['| head |', '|-|'], rows }));
const heading = fc.record({ kind: fc.constant('heading' as const), level: fc.integer({ min: 1, max: 6 }), text: line });
const { block: passage } = fc.letrec<{ block: Block; item: Block; definition: Block }>((tie) => ({
  block: fc.oneof({ depthSize: 'small' }, text, code, table, tie('item'), tie('definition')),
  item: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((body) => ({ kind: 'item', marker: '- ', body })),
  definition: fc
    .tuple(line, fc.array(tie('block'), { maxLength: 3 }))
    .map(([term, body]) => ({ kind: 'definition', term, body })),
}));
const passages = fc.array(passage, { maxLength: 12 });
const blocks = fc.array(fc.oneof({ weight: 3, arbitrary: passage }, heading), { maxLength: 12 });

/** The texts of a block, which its chunks must contain. Chunking changes only spaces, code fences and table heads. */
const wordsOf = (block: Block): string[] => {
  if (block.kind === 'item') return block.body.flatMap(wordsOf);
  if (block.kind === 'definition') return [block.term, ...block.body.flatMap(wordsOf)];
  return block.kind === 'table' ? block.rows : [block.text];
};
const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

describe('Token count', () => {
  it('countTokens never returns less than the token count of the model', () => {
    const strange = fc.constantFrom(
      'größe',
      'Ωμέγα',
      'привет мир',
      '漢字かな',
      'สวัสดี',
      '안녕하세요',
      'مرحبا',
      '€5→©',
      '👍🏽',
      'x²',
      'हिन्दी में',
      'def f(x: int) -> str:',
      'a'.repeat(150),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(strange, line), { maxLength: 8 }), (parts) => {
        const text = parts.join(' ');
        expect(countTokens(text)).to.be.at.least(tokenIds(text).length - 2);
      }),
    );
  });

  it('countTokens is exact for texts whose words can be composed from the vocabulary of the model', () => {
    const texts = [
      'Unbelievably, the re-embedding of 3.5 documents took longer than we had anticipated (see chapter 12).',
      'Größe, Ωμέγα, привет мир, 안녕하세요, 각 값, x² — “क”',
    ];
    for (const text of texts) expect(countTokens(text), text).to.equal(tokenIds(text).length - 2);
  });

  it('countTokens counts a token per UTF-16 unit of unknown words and of scripts without spaces, and one per two of very long words', () => {
    expect(tokenIds('👍🏽').slice(1, -1)).to.include(UNKNOWN_TOKEN_ID);
    expect(countTokens('👍')).to.equal(2);
    expect(countTokens('a'.repeat(150))).to.equal(75);
    expect(countTokens('สวัสดี')).to.equal(6);
  });
});

describe('Chunks', () => {
  it('chunks never exceed the token limit, and their heading paths have at most 48 tokens', () => {
    fc.assert(
      fc.property(line, blocks, (title, blocks) => {
        for (const { text, headings, tokens } of toChunks(title, blocks, LIMIT)) {
          expect(tokens).to.equal(countTokens(text)).and.be.within(1, LIMIT);
          expect(countTokens(headings.join(' > '))).to.be.at.most(48);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('chunks contain the whole text in its original order', () => {
    fc.assert(
      fc.property(passages, (blocks) => {
        const texts = toChunks('', blocks, LIMIT).map(({ text }) =>
          text.replace(/`{3,}js|^## .*$/gm, '').replaceAll('| head |', ''),
        );
        const rest = lettersAndDigits(texts.join(' '));
        let position = 0;
        for (const words of blocks.flatMap(wordsOf).map(lettersAndDigits)) {
          position = rest.indexOf(words, position);
          expect(position, words).to.be.at.least(0);
          position += words.length;
        }
      }),
      { numRuns: 100 },
    );
  });

  it('every heading is in the heading path or in the text of a chunk', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.record({
              kind: fc.constant('heading' as const),
              level: fc.integer({ min: 1, max: 3 }),
              text: fc.stringMatching(/^[a-z]{5,9}$/),
            }),
            text,
          ),
          { maxLength: 9 },
        ),
        (blocks) => {
          const all = toChunks('Title', blocks, LIMIT)
            .map(({ headings, text }) => [...headings, text].join('\n'))
            .join('\n');
          for (const block of blocks) if (block.kind === 'heading') expect(all).to.contain(block.text);
        },
      ),
    );
  });

  it('identical blocks give identical chunks', () => {
    fc.assert(
      fc.property(blocks, (blocks) => {
        expect(toChunks('T', blocks, LIMIT)).to.deep.equal(toChunks('T', structuredClone(blocks), LIMIT));
      }),
      { numRuns: 50 },
    );
  });

  it('chunks of any Markdown contain all of its words', () => {
    const mark = fc.constantFrom(
      '\n',
      '\n\n',
      '\n- ',
      '\n  - ',
      '\n1. ',
      '\n# ',
      '\n```\n',
      '\n: ',
      '\n| ',
      ' | ',
      '\n---\n',
      '\n> ',
      '\n    ',
      '\n|-|-|\n',
    );
    const markdown = fc
      .array(fc.oneof(mark, fc.stringMatching(/^[a-z]{3,9}$/)), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(markdown, (text) => {
        const all = toChunks('', readMarkdown(text), 200)
          .map(({ headings, text }) => [...headings, text].join('\n'))
          .join('\n');
        for (const word of text.match(/[a-z]+/g) ?? []) expect(all).to.contain(word);
      }),
      { numRuns: 300 },
    );
  });

  it('a chunk contains text of only one section, but very short sections share a chunk', () => {
    const sentence =
      'Refunds reach your account within a few days after we have received the parcel and looked at what is in it. '.repeat(
        2,
      );
    const long = toChunks(
      'Help',
      readMarkdown(`# Help\n\n## Refunds\n\n${sentence}\n\n## Exchange\n\n${sentence}`),
      200,
    );
    expect(long.map(({ headings }) => headings.at(-1))).to.deep.equal(['Refunds', 'Exchange']);
    const tiny = toChunks('Help', readMarkdown('# Help\n\n## Phone\n\n0800 1\n\n## Fax\n\n0800 2'), 200);
    expect(tiny).to.have.length(1);
    expect(tiny[0]).to.deep.include({ headings: ['Help'], text: '## Phone\n\n0800 1\n\n## Fax\n\n0800 2' });
  });

  it('a very short introduction is joined to the section that follows', () => {
    const [only] = toChunks(
      'Help',
      readMarkdown(
        `# Help\n\nRead this first.\n\n## Refunds\n\n${'Refunds reach your account within days. '.repeat(6)}`,
      ),
      200,
    );
    expect(only?.headings).to.deep.equal(['Help', 'Refunds']);
    expect(only?.text).to.match(/^Read this first\.\n\nRefunds reach/);
  });
});
