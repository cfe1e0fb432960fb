import { expect } from 'chai';
import {
  parseTagExpression,
  type TagExpression,
  TagExpressionError,
  tagsIn,
  toTagFilter,
} from '#shared/domain/knowledge/retrieval/tag-expression.ts';

const messageOf = (text: string): string => {
  try {
    return JSON.stringify(parseTagExpression(text));
  } catch (error) {
    expect(error).to.be.instanceOf(TagExpressionError);
    return (error as Error).message.replace('must be tags that are combined with &, |, ! and parentheses: ', '');
  }
};

describe('Expression over tags', () => {
  const parsed: [string, TagExpression][] = [
    ['shop', 'shop'],
    ['  opening   hours ', 'opening   hours'],
    ['a & b & c', { and: ['a', 'b', 'c'] }],
    ['a|b&c', { or: ['a', { and: ['b', 'c'] }] }],
    ['(a|b)&c', { and: [{ or: ['a', 'b'] }, 'c'] }],
    ['!a & b', { and: [{ not: 'a' }, 'b'] }],
    ['!(a | !b)', { not: { or: ['a', { not: 'b' }] } }],
    ['$where', '$where'],
  ];
  for (const [text, expression] of parsed)
    it(`"${text}" is parsed: ! binds more tightly than &, and & than |`, () =>
      expect(parseTagExpression(text)).to.deep.equal(expression));

  const refused: [string, string][] = [
    ['', 'a tag is missing at the end'],
    ['a &', 'a tag is missing at the end'],
    ['a && b', 'a tag is missing before "&" at character 4'],
    ['| a', 'a tag is missing before "|" at character 1'],
    ['()', 'a tag is missing before ")" at character 2'],
    ['(a | b', '")" is missing at the end'],
    ['a)', 'unexpected ")" at character 2'],
    ['a (b)', 'unexpected "(" at character 3'],
    ['(a !b)', 'unexpected "!" at character 4'],
    [`${'('.repeat(11)}a${')'.repeat(11)}`, 'it has more than 10 levels'],
    ['!'.repeat(5000), 'it has more than 10 levels'],
  ];
  for (const [text, problem] of refused)
    it(`the rejection of "${text.slice(0, 20)}" explains the mistake`, () => expect(messageOf(text)).to.equal(problem));

  it('an expression becomes a filter in which tags are values, not operators', () => {
    const expression = parseTagExpression('($ne | b) & !c');
    expect(tagsIn(expression)).to.deep.equal(['$ne', 'b', 'c']);
    expect(toTagFilter(expression)).to.deep.equal({
      $and: [{ $or: [{ tags: '$ne' }, { tags: 'b' }] }, { $nor: [{ tags: 'c' }] }],
    });
  });
});
