/** The choice of the models that find intents, the matching without them, and the writer of model files. */
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { newId } from '#shared/context.ts';
import { matchIntents } from '#shared/domain/bots/matching/intent-matcher.ts';
import { createIntentEmbedders, type Embedder, embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { joinedEmbedder } from '#shared/embedding/joined-embedder.ts';
import { Intent } from '#shared/models/intent.ts';
// @ts-expect-error: plain JavaScript without types
import { DATA_FILE, MODEL_FILE, OnnxGraph } from '../../scripts/set-up/intent-encoder/onnx-file.mjs';

const modelOf = (name: string, vector: number[]): Embedder => ({
  ...{ provider: 'local', name, dimension: vector.length },
  embed: async (texts) => texts.map(() => Float32Array.from(vector)),
  close: async () => {},
});

describe('Models that find intents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'encoder-'));
  after(() => rmSync(folder, { recursive: true }));
  const general = modelOf('all-MiniLM-L6-v2', [1, 0]);
  const choose = (encoder: string, model: Embedder | null) =>
    createIntentEmbedders({ INTENT_ENCODER: encoder, EMBEDDING_MODEL_FILE: undefined }, model);

  it('without the intent encoder, the embedding model of knowledge bases is used, if there is one', () => {
    for (const encoder of ['off', join(folder, 'missing')]) {
      expect(choose(encoder, general)).to.deep.equal({ english: general, other: general });
      expect(choose(encoder, null)).to.deep.equal({ english: null, other: null });
    }
  });

  it('for English, the intent encoder is joined with the embedding model of knowledge bases if that model is all-MiniLM-L6-v2', () => {
    writeFileSync(join(folder, MODEL_FILE), 'not a model');
    const { english, other } = choose(folder, general);
    expect(english).to.include({ dimension: 898, name: `${other?.name}+all-MiniLM-L6-v2` });
    const unknown = choose(folder, modelOf('unknown', [1, 0]));
    expect(unknown.english).to.equal(unknown.other);
  });

  it('a joined vector has the norm 1, and the second model contributes its share of the squared norm', async () => {
    const joined = joinedEmbedder({ first: general, second: modelOf('other', [0, 1, 0]), secondShare: 0.36 });
    const [vector] = await joined.embed(['a'], { project: 'p' });
    expect([...(vector ?? [])].map((value) => Number(value.toFixed(3)))).to.deep.equal([0.8, 0, 0, 0.6, 0]);
  });

  it('if the file of the encoder is broken, encoding a text fails with AI_UNAVAILABLE', async () => {
    writeFileSync(join(folder, MODEL_FILE), 'not a model');
    const encoder = choose(folder, null).other;
    const error = await encoder?.embed(['a'], { project: 'p' }).catch((reason: unknown) => reason);
    expect(error).to.include({ status: 503, code: 'AI_UNAVAILABLE' });
    await encoder?.close();
  });

  it('intents are found by words if the model fails', async () => {
    const original = embedder();
    setEmbedder({ ...general, provider: 'openai', embed: () => Promise.reject(new Error('broken')) });
    try {
      const bot = { id_project: newId(), bot: newId(), language: 'en', version: 1 };
      const fields = { id_project: bot.id_project, id_faq_kb: bot.bot, enabled: true, createdBy: newId() };
      await Intent.create({ ...fields, intent_display_name: 'hours', question: 'What are your opening hours?' });
      const [best] = await matchIntents(bot, 'opening hours on Sunday');
      expect(best?.intent.intent_display_name).to.equal('hours');
    } finally {
      setEmbedder(original);
    }
  });
});

describe('Writer of ONNX models', () => {
  it('writes a model that the runtime executes, with constants in the model file and the data file, and attributes of all types', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'onnx-'));
    try {
      const graph = new OnnxGraph();
      const values = Float32Array.from([1, 2, 3, 4]);
      const table = graph.constant('float32', [2, 2], { values, external: true });
      const row = graph.add('Gather', [table, 'ids'], { attributes: { axis: 0 } });
      const swapped = graph.add('Transpose', [row], { attributes: { perm: [1, 0] } });
      const sum = graph.add('Add', [swapped, graph.floats([1], [-10])]);
      graph.add('LeakyRelu', [sum], { attributes: { alpha: 0.5 }, outputs: ['result'] });
      const { model, data } = graph.encode({
        inputs: { ids: { type: 'int64', dims: ['count'] } },
        outputs: { result: { type: 'float32', dims: [2, 'count'] } },
      });
      writeFileSync(join(folder, MODEL_FILE), model);
      writeFileSync(join(folder, DATA_FILE), data);
      const session = await InferenceSession.create(join(folder, MODEL_FILE));
      const { result } = await session.run({ ids: new Tensor('int64', [1n, 0n], [2]) });
      expect(result?.dims).to.deep.equal([2, 2]);
      expect(result?.data).to.deep.equal(Float32Array.from([-3.5, -4.5, -3, -4]));
      await session.release();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
