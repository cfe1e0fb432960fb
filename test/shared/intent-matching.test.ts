/** The parts of intent matching. `test/bench/intents.bench.ts` measures the accuracy of intent matching as a whole. */
import { expect } from 'chai';
import { PhraseIndex } from '#shared/domain/bots/matching/phrase-index.ts';
import { intentEmbedder } from '#shared/embedding/embedder.ts';
import { addUp, measureAccuracy, readUtterances, UTTERANCE_SETS } from '../support/intent-accuracy.ts';
import { skipWithReason } from '../support/skip-with-reason.ts';

/** The number of intents of the Italian bot that are tested: enough to reveal a defect, and few enough to be fast. */
const INTENTS = 8;

describe('Intent matching', () => {
  it('tolerates typing errors and inflections, and does not match a text that shares no words with the phrases', () => {
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

  it('corrects typing errors in words of the phrases, but does not change words that may be correct', () => {
    const phrases = ['Close my account', 'Der Verlängerung zustimmen', 'I will pay', 'Pick up three orders'];
    const index = new PhraseIndex(
      phrases.map((text) => ({ intent: text, text })),
      'en',
    );
    expect(index.correctSpelling('my acount, my accuont, my acccount!')).to.equal(
      'my account, my account, my account!',
    );
    expect(index.correctSpelling('die Verlaengerung')).to.equal('die Verlängerung');
    const correct = 'two accounts, an account, ordered there, amount';
    expect(index.correctSpelling(correct)).to.equal(correct);
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

  // Background sentences are about everyday life and express no intent; PhraseIndex gets their vectors.
  const phrases = [{ intent: 'a', text: 'one', vector: new Float32Array([1, 0]) }];

  it('does not match a text that is more similar to the background sentences than to the phrases', () => {
    const index = new PhraseIndex(phrases, 'en', [new Float32Array([0, 1]), new Float32Array([0, -1])]);
    expect(index.match('three', new Float32Array([0.8, 0.6]))[0]?.intent).to.equal('a');
    expect(index.match('three', new Float32Array([0.1, 0.995]))).to.deep.equal([]);
  });

  it('ignores background sentences about the topics of the bot', () => {
    const index = new PhraseIndex(phrases, 'en', [new Float32Array([0.5, 0.866]), new Float32Array([-0.5, -0.866])]);
    expect(index.match('three', new Float32Array([0.5, 0.866]))[0]?.intent).to.equal('a');
  });

  it('subtracts the part that the vectors of all texts have in common', () => {
    const vectorOf = (value: number) => new Float32Array([0.99, value]);
    const index = new PhraseIndex([{ intent: 'a', text: 'one', vector: vectorOf(0.1) }], 'en', [
      vectorOf(0.05),
      vectorOf(-0.05),
    ]);
    expect(index.match('three', vectorOf(0.1))[0]?.intent).to.equal('a');
    expect(index.match('three', vectorOf(-0.1))).to.deep.equal([]);
  });

  it('without a model, matches at least a quarter of the utterances correctly, and rejects most utterances that have no intent', async () => {
    const counts = [];
    for (const [language, bot] of Object.entries(await readUtterances(UTTERANCE_SETS.test)))
      counts.push(await measureAccuracy(language, bot, null));
    const { right, utterances, rejected, noIntent } = addUp(counts);
    expect(right / utterances).to.be.at.least(0.25);
    expect(rejected / noIntent).to.be.at.least(0.7);
  });

  it('with the local encoder, matches at least nine in ten Italian utterances correctly, and rejects most utterances that have no intent', async function measure() {
    this.timeout(120_000);
    const model = intentEmbedder('it');
    if (!model?.name.startsWith('multilingual')) return skipWithReason(this, 'the intent encoder is not installed');
    const { it: bot } = await readUtterances(UTTERANCE_SETS.test);
    if (!bot) throw new Error('the set has no Italian bot');
    const some = { ...bot, intents: Object.fromEntries(Object.entries(bot.intents).slice(0, INTENTS)) };
    const { right, utterances, rejected, noIntent } = await measureAccuracy('it', some, model);
    expect(right / utterances).to.be.at.least(0.9);
    expect(rejected / noIntent).to.be.at.least(0.9);
  });
});
