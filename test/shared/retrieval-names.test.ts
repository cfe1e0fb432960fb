/** Finding names, such as those of products, in an English question by the capitals and digits of its words. */
import { expect } from 'chai';
import { findNames } from '#shared/domain/knowledge/retrieval/question-words.ts';

describe('Names in a question', () => {
  const cases: [string, string[]][] = [
    ['How do I log in with Django?', ['django']],
    ['My form fails. Windows says nothing, but PowerShell does', ['powershell']],
    ['boto3 does not find the bucket', ['boto3']],
    ['How do I run a query on MySQL 8?', ['mysql']],
    ['How do I make pancakes by Friday?', []],
  ];
  for (const [question, names] of cases)
    it(`findNames finds ${names.join(', ') || 'no name'} in "${question}"`, () =>
      expect(findNames(question)).to.deep.equal(names));

  it('findNames finds no name in German nouns or in text in capitals', () => {
    expect(findNames('Wie ändere ich die Lieferadresse meiner Bestellung?')).to.deep.equal([]);
    expect(findNames('WHERE IS MY ORDER')).to.deep.equal([]);
  });
});
