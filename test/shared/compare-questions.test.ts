import { expect } from 'chai';
import { misspelledWords } from '#shared/domain/knowledge/answers/faq/compare-questions.ts';

describe('Questions compared with a FAQ', () => {
  const equalPairs: [string, string][] = [
    ['What is your refund policy?', "what's the REFUND policy"],
    ['How can I cancel my order?', 'Please, how do I cancel the order'],
    ['Can I pay by card?', 'could we pay by cards?'],
    ['How do I set up Wi-Fi?', 'How do I setup wifi'],
    ['Où est mon colis ?', 'ou est mon colis'],
    ['如何退货？', '如何退货'],
    ["Why can't I log in?", 'Why cannot I log in'],
  ];
  for (const [question, other] of equalPairs)
    it(`“${question}” means the same as “${other}”`, () => {
      expect(misspelledWords(question, other)).to.deep.equal([]);
      expect(misspelledWords(other, question)).to.deep.equal([]);
    });

  const misspelledPairs: [string, string, string[]][] = [
    ['How do I cancle my order?', 'How do I cancel my order?', ['cancle']],
    ['waht is a vouchr?', 'What is a voucher?', ['waht', 'vouchr']],
    ['international adress costs', 'international address costs', ['adress']],
    ['Wie kann ich bezalen?', 'Wie kann ich bezahlen?', ['bezalen']],
  ];
  for (const [question, other, words] of misspelledPairs)
    it(`“${question}” differs from “${other}” only by typing errors`, () => {
      expect(misspelledWords(question, other)).to.deep.equal(words);
    });

  const differentPairs: [string, string][] = [
    ['How can I cancel?', 'When can I cancel?'],
    ['Why can I log in?', "Why can't I log in?"],
    ['Which plan has 10 users?', 'Which plan has 100 users?'],
    ['How do I enable mails?', 'How do I disable mails?'],
    ['How do I import contacts?', 'How do I export contacts?'],
    ['How do I move from A to B?', 'How do I move from B to A?'],
    ['Do you ship to Malta?', 'Do you ship from Malta?'],
    ['What is vitamin C?', 'What is vitamin D?'],
    ['如何退货？', '如何换货？'],
    ['Can I return shoes?', 'Can I return shoes without the box?'],
    ['', 'What?'],
  ];
  for (const [question, other] of differentPairs)
    it(`“${question}” differs from “${other}” in meaning`, () =>
      expect(misspelledWords(question, other)).to.equal(null));
});
