import { expect } from 'chai';
import { deletionKeys } from '#shared/search/spelling/deletion-keys.ts';
import { englishRank, isEnglishWord, similarEnglishWords } from '#shared/search/spelling/english-words.ts';
import { type EditWeights, typingErrorCost } from '#shared/search/spelling/typing-errors.ts';
import { WordLookup } from '#shared/search/spelling/word-lookup.ts';
import { addTypingErrors } from '../support/typing-errors.ts';

/** Each kind of edit has a weight of its own, so that a cost shows which edits it consists of. */
const WEIGHTS: EditWeights = {
  exchanged: 1,
  doubled: 1.1,
  inserted: 1.2,
  neighbour: 1.3,
  replaced: 1.4,
  first: 0.01,
  last: 0.02,
};

describe('Cost of a typing error', () => {
  const cases: [typed: string, known: string, cost: number][] = [
    ['invoice', 'invoice', 0],
    ['inovice', 'invoice', 1],
    ['invvoice', 'invoice', 1.1],
    ['acount', 'account', 1.1],
    ['invice', 'invoice', 1.2],
    ['invxoice', 'invoice', 1.2],
    ['invpice', 'invoice', 1.3],
    ['invaice', 'invoice', 1.3],
    ['invmice', 'invoice', 1.4],
    ['nvoice', 'invoice', 1.21],
    ['ivnoice', 'invoice', 1],
    ['nivoice', 'invoice', 1.01],
    ['invoic', 'invoice', 1.22],
    ['invoicee', 'invoice', 1.12],
    ['inovicee', 'invoice', 2.12],
    ['', 'ab', 2.43],
  ];
  for (const [typed, known, cost] of cases)
    it(`the cost of "${typed}" for "${known}" is ${cost}`, () => {
      expect(typingErrorCost(typed, known, WEIGHTS)).to.be.closeTo(cost, 1e-9);
    });
});

describe('Lookup of similar words', () => {
  it('two words that differ by one edit have a deletion key in common: their first seven letters, or these with one left out', () => {
    for (const [one, other] of [
      ['password', 'passwrod'],
      ['password', 'pasword'],
      ['password', 'passsword'],
      ['password', 'passqord'],
      ['documentation', 'documentatoin'],
      ['the', 'teh'],
    ] as const)
      expect(
        deletionKeys(one).filter((key) => deletionKeys(other).includes(key)),
        `${one} ${other}`,
      ).not.to.be.empty;
  });

  it('a word has at most eight deletion keys, however long it is', () => {
    expect(deletionKeys('internationalization')).to.have.length(8);
    expect(deletionKeys('a')).to.deep.equal(['a']);
  });

  it('a lookup returns only words that resemble the given word, each once', () => {
    const lookup = new WordLookup(['invoice', 'invoices', 'password', 'voice']);
    expect(lookup.similarWords('invioce')).to.have.members(['invoice', 'invoices']);
    expect(lookup.similarWords('kitchen')).to.deep.equal([]);
  });

  it('frequent English words are suggested for misspelt ones, and have a rank by frequency', () => {
    expect(similarEnglishWords('recieve')).to.include('receive');
    expect(englishRank('the')).to.equal(0);
    expect(englishRank('receive')).to.be.below(englishRank('eyebrow') as number);
    expect(englishRank('recieve')).to.equal(undefined);
  });

  it('less frequent English words are recognized, and misspelt words are not', () => {
    expect(['warranty', 'froth', 'colour', 'color'].filter(isEnglishWord)).to.have.length(4);
    expect(['recieve', 'discuont', 'servr', 'prot'].filter(isEnglishWord)).to.deep.equal([]);
    expect(similarEnglishWords('discuont')).to.include('discount');
  });
});

describe('Generated typing errors', () => {
  it('the same seed gives the same errors, in about one word in six', () => {
    const text = 'How do I change the delivery address of an order that I placed yesterday evening?';
    const misspelt = addTypingErrors(text, 7);
    expect(addTypingErrors(text, 7)).to.equal(misspelt);
    const changed = misspelt.split(' ').filter((word, index) => word !== text.split(' ')[index]);
    expect(changed.length).to.be.within(1, 3);
  });
});
