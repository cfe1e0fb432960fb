/** Words as they are searched, in whatever language. */
import { expect } from 'chai';
import { highlights } from '#shared/search/highlights.ts';
import { wantedIn, wordsOf } from '#shared/search/words.ts';

const shown = (text: string, ...words: string[]) =>
  highlights([['text', text]], (word) => words.includes(word)).map(({ texts }) =>
    texts.map(({ value, type }) => (type === 'hit' ? `[${value}]` : value)).join(''),
  )[0];

describe('Words of a text', () => {
  it('are small, without accents, and there once', () => {
    expect(wordsOf('Crème BRÛLÉE, crème!', 'Straße 7', null)).to.deep.equal(['creme', 'brulee', 'straße', '7']);
    expect(wordsOf('İstanbul Ελλάδα Київ 한국어')).to.deep.equal([
      'istanbul',
      'ελλαδα',
      'київ'.normalize('NFKD').replace(/\p{M}/gu, ''),
      '한국어',
    ]);
  });

  it('are told apart where nothing stands between them', () => {
    expect(wordsOf('私は東京に住んでいます')).to.include('東京');
    expect(wordsOf('ฉันรักประเทศไทย').length).to.be.greaterThan(1);
  });

  it('hold an e-mail as a whole and in parts; looked for, it is whole', () => {
    expect(wordsOf('Ada.Lovelace@Example.com.')).to.deep.equal([
      'ada.lovelace@example.com',
      'ada',
      'lovelace',
      'example',
      'com',
    ]);
    expect(wantedIn('to: ada.lovelace@example.com')).to.deep.equal(['to', 'ada.lovelace@example.com']);
    expect(wantedIn('…!')).to.deep.equal([]);
  });

  it('are bounded in number and length, and found in whatever is sent', () => {
    expect(wordsOf(Array.from({ length: 5000 }, (_, at) => `w${at}`).join(' '))).to.have.length(1000);
    expect(wordsOf('x'.repeat(5000))).to.deep.equal(['x'.repeat(64)]);
    const hostile = ['a.', 'a@', 'a@a.', '\u0300', '한'].map((piece) => piece.repeat(16_000));
    for (const text of hostile) expect(wordsOf(text)).to.have.length.below(10);
  });
});

describe('Highlights', () => {
  it('are the hits as they are written, and the text around them', () => {
    expect(shown('Where is my Crème, ada@example.com?', 'creme', 'ada')).to.equal(
      'Where is my [Crème], [ada@example.com]?',
    );
    expect(shown('東京に行く', '東京')).to.equal('[東京]に行く');
    expect(shown('nothing', 'else')).to.equal(undefined);
  });

  it('show some of a long text, cut between whole signs', () => {
    const [{ texts } = { texts: [] }] = highlights(
      [['text', `${'😀'.repeat(500)} hit ${'😀'.repeat(500)}`]],
      (word) => word === 'hit',
    );
    const all = texts.map(({ value }) => value).join('');
    expect(all)
      .to.include(' hit ')
      .and.satisfy((text: string) => text.isWellFormed());
    expect(Array.from(all)).to.have.length.below(340);
  });

  it('say nothing in HTML', () => {
    expect(highlights([['text', '<b>hit</b>']], (word) => word === 'hit')).to.deep.equal([
      {
        path: 'text',
        texts: [
          { value: '<b>', type: 'text' },
          { value: 'hit', type: 'hit' },
          { value: '</b>', type: 'text' },
        ],
      },
    ]);
  });
});
