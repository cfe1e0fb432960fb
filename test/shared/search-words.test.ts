/** Extraction of search keywords from texts in any language, and highlights of hits. */
import { expect } from 'chai';
import { highlightTexts } from '#shared/search/highlights.ts';
import { extractKeywords, queryTerms } from '#shared/search/words.ts';

const highlighted = (text: string, ...words: string[]) =>
  highlightTexts([['text', text]], (word) => words.includes(word)).map(({ texts }) =>
    texts.map(({ value, type }) => (type === 'hit' ? `[${value}]` : value)).join(''),
  )[0];

describe('Keyword extraction', () => {
  it('keywords are lower-case, without accents and without duplicates', () => {
    expect(extractKeywords('Crème BRÛLÉE, crème!', 'Straße 7', null)).to.deep.equal(['creme', 'brulee', 'straße', '7']);
    expect(extractKeywords('İstanbul Ελλάδα Київ 한국어')).to.deep.equal([
      'istanbul',
      'ελλαδα',
      'київ'.normalize('NFKD').replace(/\p{M}/gu, ''),
      '한국어',
    ]);
  });

  it('words in scripts without spaces become separate keywords', () => {
    expect(extractKeywords('私は東京に住んでいます')).to.include('東京');
    expect(extractKeywords('ฉันรักประเทศไทย').length).to.be.greaterThan(1);
  });

  it('the keywords of a text include an email address and its parts, but the terms of a query include only the address', () => {
    expect(extractKeywords('Ada.Lovelace@Example.com.')).to.deep.equal([
      'ada.lovelace@example.com',
      'ada',
      'lovelace',
      'example',
      'com',
    ]);
    expect(queryTerms('to: ada.lovelace@example.com')).to.deep.equal(['to', 'ada.lovelace@example.com']);
    expect(queryTerms('…!')).to.deep.equal([]);
  });

  it('keywords are limited in number and length, including those of hostile texts', () => {
    expect(extractKeywords(Array.from({ length: 5000 }, (_, index) => `w${index}`).join(' '))).to.have.length(1000);
    expect(extractKeywords('x'.repeat(5000))).to.deep.equal(['x'.repeat(64)]);
    const hostile = ['a.', 'a@', 'a@a.', '\u0300', '한'].map((piece) => piece.repeat(16_000));
    for (const text of hostile) expect(extractKeywords(text)).to.have.length.below(10);
  });
});

describe('Search highlights', () => {
  it('highlights contain the hits as written and the surrounding text', () => {
    expect(highlighted('Where is my Crème, ada@example.com?', 'creme', 'ada')).to.equal(
      'Where is my [Crème], [ada@example.com]?',
    );
    expect(highlighted('東京に行く', '東京')).to.equal('[東京]に行く');
    expect(highlighted('nothing', 'else')).to.equal(undefined);
  });

  it('highlights contain an excerpt of a long text, cut between whole characters', () => {
    const [{ texts } = { texts: [] }] = highlightTexts(
      [['text', `${'😀'.repeat(500)} hit ${'😀'.repeat(500)}`]],
      (word) => word === 'hit',
    );
    const all = texts.map(({ value }) => value).join('');
    expect(all)
      .to.include(' hit ')
      .and.satisfy((text: string) => text.isWellFormed());
    expect(Array.from(all)).to.have.length.below(340);
  });

  it('highlights contain HTML as plain text', () => {
    expect(highlightTexts([['text', '<b>hit</b>']], (word) => word === 'hit')).to.deep.equal([
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
