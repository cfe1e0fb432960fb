import { expect } from 'chai';
import { identifierWords, withIdentifierWords } from '#shared/search/identifiers.ts';

describe('Words of identifiers', () => {
  it('the words of each identifier in camel case are found once, even if the identifier is repeated', () => {
    expect(identifierWords('Set poweredByHeader, or `poweredByHeader: false`, in exportPDFFiles.')).to.deep.equal([
      'powered',
      'By',
      'Header',
      'export',
      'PDF',
      'Files',
    ]);
  });

  it('withIdentifierWords adds nothing for product names, plain words, snake_case and quantities', () => {
    const text = 'An iPhone with JavaScript on eBay, in snake_case, or like-This, costs 5kW.';
    expect(withIdentifierWords(text)).to.equal(text);
  });

  it('withIdentifierWords appends the words of the identifiers in a string to the string', () => {
    expect(withIdentifierWords('The maxAge')).to.equal('The maxAge max Age');
  });
});
