/** Parts of the matching of intents; `test/bench/intents.bench.ts` measures its accuracy. */
import { expect } from 'chai';
import { glossText } from '#shared/domain/bots/matching/gloss.ts';
import { PhraseIndex } from '#shared/domain/bots/matching/phrase-index.ts';
import { measureAccuracy, readUtterances } from '../support/intent-accuracy.ts';

describe('Intent matching', () => {
  it('glosses Italian and German texts in English, including compounds, and no other language', () => {
    expect(glossText('Ho dimenticato una password', 'it-IT')).to.equal('have forgot a password');
    expect(glossText('Rechnungskopie', 'de')).to.equal('invoice bill copy');
    expect(glossText('Où est mon colis ?', 'fr')).to.equal('Où est mon colis ?');
  });

  it('tolerates typing errors and inflections, and matches nothing that shares no words', () => {
    const phrases = [
      { intent: 'refund', text: 'When do I get my refund?' },
      { intent: 'hours', text: 'What are your opening hours?' },
    ];
    const index = new PhraseIndex(phrases, 'en');
    expect(index.match('openning hour plaese')[0]?.intent).to.equal('hours');
    expect(index.match('refunded yet')[0]?.intent).to.equal('refund');
    expect(index.match('xyzzy')).to.deep.equal([]);
    expect(index.match('')).to.deep.equal([]);
  });

  it('uses vectors only when every phrase has one', () => {
    const vector = new Float32Array([1, 0]);
    const other = new Float32Array([0, 1]);
    const complete = new PhraseIndex(
      [
        { intent: 'a', text: 'one', vector },
        { intent: 'b', text: 'two', vector: other },
      ],
      'en',
    );
    expect(complete.match('three', vector)[0]?.intent).to.equal('a');
    const incomplete = new PhraseIndex(
      [
        { intent: 'a', text: 'one', vector },
        { intent: 'b', text: 'two' },
      ],
      'en',
    );
    expect(incomplete.match('three', vector)).to.deep.equal([]);
  });

  it('without a model, at least 0.65 of the utterances get their intent and 0.9 of the foreign ones none', async () => {
    for (const [language, bot] of Object.entries(await readUtterances('tuning-set'))) {
      const { right, utterances, rejected, noIntent } = await measureAccuracy(language, bot, null);
      expect(right / utterances, language).to.be.at.least(0.65);
      expect(rejected / noIntent, language).to.be.at.least(0.9);
    }
  });
});
