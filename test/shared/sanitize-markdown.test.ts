import { expect } from 'chai';
import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { sanitizeMarkdown } from '#shared/security/sanitize-markdown.ts';

const SOURCES = ['https://help.example/hours'];
const PIECES = [
  ...[
    '[',
    ']',
    '](',
    '](//evil.example/x',
    ')',
    '![',
    '![a](',
    '[a]',
    '[a]:',
    '][',
    '(',
    '<',
    '>',
    '\\',
    '`',
    '``',
    '"',
    "'",
  ],
  ...[
    '//evil.example/x',
    'https://evil.example/x',
    'www.evil.example',
    'https://help.example/a',
    'javascript:alert(1)',
  ],
  ...[
    'javascript://help.example/%0aalert(1)',
    'data:text/html,x',
    '<img src=',
    '<script>',
    '<a href="',
    '<!--',
    '-->',
    '<b>',
  ],
  ...[
    '\n',
    '\n\n',
    '\n- ',
    '\n> ',
    '\n1. ',
    '\n    ',
    '\n```\n',
    '\n~~~\n',
    '\n# ',
    '\n===\n',
    '\n: ',
    '|',
    '\n|-|-|\n',
    '\r',
    '\t',
  ],
  ...['&#91;', '&lt;', '&colon;', '*', '_', ' ', 'a', 'é', '\0'],
];

const markdownIt = new MarkdownIt({ html: true, linkify: true });
const RENDERERS: Record<string, (text: string) => string> = {
  'markdown-it': (text) => markdownIt.render(text),
  marked: (text) => marked.parse(text, { async: false }),
};

type ParentNode = DefaultTreeAdapterTypes.ParentNode;
const elementsOf = (parent: ParentNode): DefaultTreeAdapterTypes.Element[] =>
  parent.childNodes.flatMap((node) => ('tagName' in node ? [node, ...elementsOf(node)] : []));

const RENDERED_TAGS =
  /^(p|br|a|em|strong|del|s|code|pre|ul|ol|li|blockquote|h[1-6]|hr|table|thead|tbody|tr|th|td|input)$/;

/** Asserts that a rendered text contains only the elements of Markdown and links only to the source. */
function expectSafe(html: string): void {
  for (const { tagName, attrs } of elementsOf(parseFragment(html))) {
    expect(tagName).to.match(RENDERED_TAGS);
    for (const { name, value } of attrs) {
      expect(name).to.match(/^(href|start|class|style|type|checked|disabled)$/);
      if (name === 'href') expect(URL.parse(value)?.origin).to.equal('https://help.example');
    }
  }
}

describe('Markdown sanitizer', () => {
  for (const [name, render] of Object.entries(RENDERERS))
    it(`${name} renders no image, no HTML and no link to another host from sanitized Markdown`, () => {
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
          expectSafe(render(sanitizeMarkdown(pieces.join(''), { sources: SOURCES })));
        }),
        { numRuns: 500 },
      );
    });

  it('sanitizing Markdown again changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), fc.boolean(), (pieces, isQuote) => {
        const sanitized = sanitizeMarkdown(pieces.join(''), { sources: SOURCES, isQuote });
        expect(sanitizeMarkdown(sanitized, { sources: SOURCES, isQuote })).to.equal(sanitized);
      }),
      { numRuns: 300 },
    );
  });

  it('Markdown without images, HTML or links to other hosts is not changed', () => {
    const text =
      '# Hours\n\nWe *open* at `nine`, see [1][2].\n\n- a\n  - b & c\n\n1. x < y\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> q\n\nTerm\n: meaning\n\n---\n\n    code\n\n```js\nlet a = "<b>";\n```\n\nhttps://help.example/a [b](https://help.example/c)\n';
    expect(sanitizeMarkdown(text, { sources: SOURCES })).to.equal(text);
  });

  it('a quote loses its links and keeps placeholders such as <module>', () => {
    expect(
      sanitizeMarkdown('run <module> at [b](https://help.example/c)', { sources: SOURCES, isQuote: true }),
    ).to.equal('run <module> at b');
  });

  it('square and angle brackets, backticks, tildes and URLs are removed from Markdown that is nested too deeply', () => {
    expect(sanitizeMarkdown(`${'> '.repeat(200)}![a](https://evil.example/b)\`~`, { sources: SOURCES })).to.match(
      /^[ ]*!a\(\)$/,
    );
  });

  it('Markdown is truncated after 50,000 characters', () => {
    expect(sanitizeMarkdown('word '.repeat(20_000), { sources: SOURCES })).to.have.length(50_000);
  });
});
