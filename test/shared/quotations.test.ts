import { expect } from 'chai';
import { citedNumbers } from '#shared/domain/knowledge/answers/quotations/cited-numbers.ts';
import { findQuotations } from '#shared/domain/knowledge/answers/quotations/find-quotations.ts';
import { verifyQuotations } from '#shared/domain/knowledge/answers/quotations/verify-quotations.ts';

const QUESTION = 'Can I return a "gift card"?';
const chunk = (id: string, text: string, headings = ['Returns']) => ({
  ...{ id, content: `content ${id}`, source: `https://help.example/${id}`, name: 'Help', headings, text, score: 1 },
});
const RETURNS = chunk(
  'a',
  'You can send an article back **within 30 days**. Click "Save" to finish, see [the form](https://help.example/form).',
);
const PAYMENT = chunk(
  'b',
  'We accept cards from -5 € on. Run `pay <name>` in C++.\n\n> Prices\n> include tax [1] always.',
);
const CHUNKS = [RETURNS, PAYMENT];

const verify = (answer: string) => verifyQuotations(answer, QUESTION, CHUNKS);
const verdicts = (answer: string) => verify(answer).map(({ text, verified }) => [text, verified]);

describe('Quotations in a generated answer', () => {
  const findCases: [string, string, string[]][] = [
    [
      'quotations in straight, curly and angle quotation marks, and in corner brackets',
      '"a b", “c”, «d», „e“ and 「f」',
      ['a b', 'c', 'd', 'e', 'f'],
    ],
    ['a quotation that contains quotation marks', 'It says "Click "Save" now" [1].', ['Click "Save" now']],
    [
      'quotations of at least three words in single quotation marks',
      "the users' 'one two three' and 'word', don't",
      ['one two three'],
    ],
    ['a quotation that ends with a space', 'It says "or photos ". And "...so on".', ['or photos ', '...so on']],
    ['block quotes', 'It says:\n\n> One\n> two\n\nEnd "three".', ['> One\n> two', 'three']],
    ['no quotation in inch marks or code', 'a 5" screen, `print("x")` and\n\n```\nsay "y"\n```\n', []],
    ['no quotation across paragraphs', 'An "open mark.\n\nAnother "one" here.', ['one']],
  ];
  for (const [name, answer, expected] of findCases) {
    it(`findQuotations finds ${name}`, () => {
      const quotations = findQuotations(answer);
      expect(quotations.map(({ text }) => text)).to.deep.equal(expected);
      for (const { text, start, end } of quotations) expect(answer.slice(start, end)).to.equal(text);
    });
  }

  it('a quotation has the citation numbers that directly follow it or that it contains', () => {
    const cited = findQuotations('"a" [1][2] and "b." "c" (see [3]) “d [4]”').map((quotation) => quotation.cited);
    expect(cited).to.deep.equal([[1, 2], [], [], [4]]);
    expect(citedNumbers('One [1], two [2][3], `x[7]`, x[8].')).to.deep.equal([1, 2, 3]);
  });

  const trueQuotations = [
    'send an article back within 30 days',
    'You can send an article back **within 30 days**.',
    'SEND an article\nback',
    'Click "Save" to finish',
    'see the form',
    'see [the form](https://help.example/form)',
    'You can send … within 30 days',
    'You can send [...] Click "Save" to finish,',
    'cards from −5 € on',
    'Run pay in C++',
    'Run `pay <name>` in C++',
    'Prices include tax always',
    'within 30 days [1]',
    'Returns',
  ];
  for (const text of trueQuotations) {
    it(`verifyQuotations verifies the quotation “${text.replaceAll('\n', ' ')}”`, () => {
      expect(verify(`The page says “${text}”.`)).to.have.length(1);
      expect(verify(`The page says “${text}”.`)[0]).to.include({ verified: true });
    });
  }

  const inventedQuotations = [
    'send an article back within 60 days',
    'send an article back within 3 days',
    'You cannot send an article back',
    'an article send back',
    'article back within 30 days of delivery',
    'cards from 5 € on',
    'cards from -5 $ on',
    'in C',
    'end an article',
    'send an article … accept cards',
    'within 30 days … You can send',
    'see [the form](https://evil.example/form)',
  ];
  for (const text of inventedQuotations) {
    it(`verifyQuotations flags the invented quotation “${text}”`, () => {
      const [quotation] = verify(`The page says “${text}” [1].`);
      expect(quotation).to.include({ verified: false, source_id: null, chunk_id: null, chunk_start: null });
    });
  }

  it('a verified quotation has its positions in the chunk and in the answer', () => {
    const answer = 'Yes: "Send an article back within 30 days" [2].';
    const [quotation] = verify(answer);
    expect(quotation).to.include({ source_id: 1, chunk_id: 'a', verified: true });
    expect(answer.slice(quotation?.answer_start, quotation?.answer_end)).to.equal(quotation?.text);
    const { chunk_start, chunk_end } = quotation as { chunk_start: number; chunk_end: number };
    expect(RETURNS.text.slice(chunk_start, chunk_end)).to.equal('send an article back **within 30 days');
  });

  it('an uncited quotation from the question is omitted, and a cited one is checked', () => {
    expect(verdicts('I found nothing about a "gift card".')).to.deep.equal([]);
    expect(verdicts('The page says "gift card" [1].')).to.deep.equal([['gift card', false]]);
    expect(verdicts('See "vouchers".')).to.deep.equal([['vouchers', false]]);
  });
});
