/** Parts of the matching of intents; `test/bench/intents.bench.ts` measures its accuracy. */
import { expect } from 'chai';
import { glossText } from '#shared/domain/bots/matching/gloss.ts';
import { PhraseIndex } from '#shared/domain/bots/matching/phrase-index.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { measureAccuracy, readUtterances } from '../support/intent-accuracy.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

describe('English glosses', () => {
  it('translate words with their inflections, irregular forms and spellings without accents', () => {
    expect(glossText('Ho dimenticato due password', 'it-IT')).to.equal('I have forget two password');
    expect(glossText('cancellatelo, è gia chiuso', 'it')).to.equal('cancel is already close');
    expect(glossText('Rückerstattungen fuer Bücher', 'de')).to.equal('refund for book');
  });

  it('translate German compounds by their parts, and verbs whose prefix ends the clause', () => {
    expect(glossText('Vertragsverlängerung', 'de')).to.equal('contract extend');
    expect(glossText('Rufen Sie mich bitte an, danke', 'de')).to.equal('call you me please thank');
    expect(glossText('Gestern fing es an', 'de')).to.equal('yesterday start it');
  });

  it('keep unknown words, and texts of other languages', () => {
    expect(glossText('Xyzzy bestellen', 'de')).to.equal('Xyzzy order');
    expect(glossText('Où est mon colis ?', 'fr')).to.equal('Où est mon colis ?');
  });
});

describe('Intent matching', () => {
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

  it('matches nothing if a text is more similar to the background than to the phrases', () => {
    const phrases = [{ intent: 'a', text: 'one', vector: new Float32Array([1, 0]) }];
    const index = new PhraseIndex(phrases, 'en', [new Float32Array([0, 1])]);
    expect(index.match('three', new Float32Array([0.8, 0.6]))[0]?.intent).to.equal('a');
    expect(index.match('three', new Float32Array([0.1, 0.995]))).to.deep.equal([]);
  });

  it('ignores background sentences about the topics of the bot', () => {
    const phrases = [{ intent: 'a', text: 'one', vector: new Float32Array([1, 0]) }];
    const index = new PhraseIndex(phrases, 'en', [new Float32Array([0.9, 0.436])]);
    expect(index.match('three', new Float32Array([0.9, 0.436]))[0]?.intent).to.equal('a');
  });

  it('without a model, a fifth of the utterances get their intent, and most foreign ones none', async () => {
    for (const [language, bot] of Object.entries(await readUtterances('tuning-set'))) {
      const { right, utterances, rejected, noIntent } = await measureAccuracy(language, bot, null);
      expect(right / utterances, language).to.be.at.least(0.2);
      expect(rejected / noIntent, language).to.be.at.least(0.7);
    }
  });

  it('with the local model, more than half of the utterances get their intent, and most foreign ones none', async function measure() {
    this.timeout(120_000);
    const model = embedder();
    if (model?.provider !== 'local') return skipWithReason(this, 'there is no local model');
    const { de: bot } = await readUtterances('tuning-set');
    if (!bot) throw new Error('the set has no German bot');
    const { right, utterances, rejected, noIntent } = await measureAccuracy('de', bot, model);
    expect(right / utterances).to.be.at.least(0.55);
    expect(rejected / noIntent).to.be.at.least(0.8);
  });
});
