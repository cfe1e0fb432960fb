import { expect } from 'chai';
import { namesIn } from '#shared/retrieval/words.ts';

describe('The names in a question', () => {
  const named: [string, string[]][] = [
    ['How do I log in with Django?', ['django']],
    ['My form fails. Windows says nothing, but PowerShell does', ['powershell']],
    ['boto3 does not find the bucket', ['boto3']],
    ['How do I run a query on MySQL 8?', ['mysql']],
    ['How do I make pancakes by Friday?', []],
  ];
  for (const [question, names] of named)
    it(`are ${names.join(', ') || 'none'} in "${question}"`, () => expect(namesIn(question)).to.deep.equal(names));

  it('are none where nouns have a capital as such, nor in shouting', () => {
    expect(namesIn('Wie ändere ich die Lieferadresse meiner Bestellung?')).to.deep.equal([]);
    expect(namesIn('WHERE IS MY ORDER')).to.deep.equal([]);
  });
});
