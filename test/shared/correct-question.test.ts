import { expect } from 'chai';
import { indexSpaceOf } from '#shared/domain/knowledge/indexing/chunks.ts';
import { removeVocabulary } from '#shared/domain/knowledge/indexing/vocabulary.ts';
import { correctQuestion } from '#shared/domain/knowledge/retrieval/correct-question.ts';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { fillVocabulary } from '#shared/migrations/fill-vocabulary.ts';
import { KbWord } from '#shared/models/kb-word.ts';
import { aNamespaceKey, anIndexedContent, wordEmbedder } from '../support/indexed-contents.ts';
import { commandsDuring } from '../support/mongo-commands.ts';

const TEXTS = [
  'The sourdough rises overnight. Feed the kombucha with sugar, then proof the sourdough.',
  'Kombucha and sourdough need machines and a jar with a lid. The Tupperbox is a jar. An ooni bakes pizza.',
  'Die Rückerstattung der Käseplatte dauert drei Tage.',
];

describe('Correction of a question', () => {
  const originalEmbedder = embedder();
  const key = aNamespaceKey();
  before(async () => {
    setEmbedder(wordEmbedder);
    for (const text of TEXTS) await anIndexedContent(key, [text]);
  });
  after(() => setEmbedder(originalEmbedder));

  const correct = (question: string) => correctQuestion(indexSpaceOf(key), question);

  const cases: [reason: string, question: string, corrected: string][] = [
    ['a misspelt word of the namespace', 'how long does my suordough rise', 'how long does my sourdough rise'],
    ['a misspelt word with a capital letter', 'Komubcha for beginners?', 'Kombucha for beginners?'],
    ['a misspelt English word that the namespace lacks', 'waht about my kitchne', 'what about my kitchen'],
    ['a misspelt short word', 'is teh jar closed', 'is the jar closed'],
    ['a word that lacks its accent', 'wann kommt die Ruckerstatung', 'wann kommt die Rückerstattung'],
    ['no correct word of the namespace', 'proof the kombucha in the tupperbox', 'proof the kombucha in the tupperbox'],
    ['no inflection', 'two sourdoughs', 'two sourdoughs'],
    ['no correct English word', 'is the proof in the kitchen loud', 'is the proof in the kitchen loud'],
    ['no rare English word', 'does the warranty cover the froth', 'does the warranty cover the froth'],
    ['no contraction', "why mustn't it rise", "why mustn't it rise"],
    ['a word that only looks like a base form of a known word', 'which machin is it', 'which machine is it'],
    ['no name of another product', 'does it work with Ooli or MySQL', 'does it work with Ooli or MySQL'],
    ['no name that is unlike every known word', 'does it work with Postgres', 'does it work with Postgres'],
    ['no number and no identifier', 'error ko1mbucha and sour_dough', 'error ko1mbucha and sour_dough'],
  ];
  for (const [reason, question, corrected] of cases)
    it(`correctQuestion changes ${reason}: "${question}"`, async () => {
      expect(await correct(question)).to.equal(corrected);
    });

  it('a question of correct English words causes no query', async () => {
    const commands = await commandsDuring(() => correct('where is the order that I placed last week?'));
    expect(commands).to.deep.equal([]);
  });

  it('a very long word is not compared with the vocabulary', async () => {
    const question = `sour${'dough'.repeat(1000)}`;
    expect(await commandsDuring(() => correct(question))).to.deep.equal([]);
  });

  it('a question with an error causes one query, which uses the index on `keys` (the forms of each word by which it is found despite typing errors)', async () => {
    const commands = await commandsDuring(() => correct('suordough'));
    expect(commands).to.have.length(1);
    expect(commands[0]).to.have.property('find', 'kb_words');
    const plan = JSON.stringify(await KbWord.find({ ...key, keys: { $in: ['sourdou'] } }).explain('queryPlanner'));
    expect(plan).to.include('id_project_1_namespace_1_keys_1').and.not.include('COLLSCAN');
  });

  it('retrieval finds the same chunks for a question with errors as for the correct question', async () => {
    const [typed, intended] = [
      await retrieve(key, 'does the suordough rise ovrenight', { limit: 3 }),
      await retrieve(key, 'does the sourdough rise overnight', { limit: 3 }),
    ];
    expect(typed).to.deep.equal(intended);
    expect(typed.question).to.equal('does the sourdough rise overnight');
  });

  it('a question is not corrected to words of other namespaces', async () => {
    const other = aNamespaceKey();
    await anIndexedContent(other, ['Nothing about baking.']);
    expect(await correctQuestion(indexSpaceOf(other), 'my suordough')).to.equal('my suordough');
  });

  it('a word is stored once per namespace, and removed with the vocabulary of the namespace', async () => {
    const other = aNamespaceKey();
    await anIndexedContent(other, ['Bread and bread.', 'Bread again.']);
    await anIndexedContent(other, ['BREAD']);
    expect((await KbWord.find(other).lean()).map(({ word }) => word)).to.have.members(['bread', 'and', 'again']);
    await removeVocabulary(other);
    expect(await KbWord.countDocuments(other)).to.equal(0);
  });

  it('the fillVocabulary migration fills the vocabulary of a namespace from its stored chunks', async () => {
    const other = aNamespaceKey();
    await anIndexedContent(other, ['Bread rises.', 'Soup boils.']);
    const stored = await KbWord.find(other).sort({ _id: 1 }).lean();
    await removeVocabulary(other);
    for (const _ of ['once', 'again']) await fillVocabulary();
    expect(await KbWord.find(other).sort({ _id: 1 }).lean()).to.deep.equal(stored);
  });
});
