import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { embeddingUsage } from '#shared/embedding/usage.ts';
import { bareModel } from '../support/bare-model.ts';
import { printRates, runInterleaved } from './parts/interleaved-rounds.ts';

const SENTENCE =
  'The order leaves our warehouse on the day it is paid for, and you can track it with the number in the email. ';
const TEXTS = Array.from({ length: 30 }, (_, index) => `${index} ${SENTENCE.repeat(1 + (index % 8))}`);

/** Compares the embedder with the bare model: the same model file, called directly, with texts tokenized in advance. */
describe('Embedding benchmark with the local model', () => {
  it('embedding reaches 90% of the token rate that the bare model reaches in one thread', async function measure() {
    const model = embedder();
    if (model?.provider !== 'local' || !config.EMBEDDING_MODEL_FILE) return this.skip();
    this.timeout(180_000);
    const bare = await bareModel(config.EMBEDDING_MODEL_FILE, TEXTS);
    const timed = async (work: () => Promise<number>) => {
      const started = performance.now();
      return (await work()) / ((performance.now() - started) / 1000);
    };
    const ours = async () => {
      const before = embeddingUsage().tokens;
      await model.embed(TEXTS, { project: 'bench' });
      return embeddingUsage().tokens - before;
    };
    const result = await runInterleaved(
      8,
      () => timed(ours),
      () => timed(bare.run),
    );
    printRates('tokens', result);
    await bare.close();
    expect(result.ratio).to.be.at.least(0.9);
  });
});
