/** The change to another embedding model: searches use the old one until all chunks have vectors from the new one. */
import { expect } from 'chai';
import { modelsOf, switchModel } from '#shared/domain/knowledge/indexing/namespace-model.ts';
import { rebuildNamespace } from '#shared/domain/knowledge/indexing/index-registry.ts';
import {
  discardOtherDimensions,
  dropReplacedVectors,
  embedStoredChunks,
  projectsToEmbed,
  switchIfComplete,
} from '#shared/domain/knowledge/indexing/reembed.ts';
import { indexSpaceOf } from '#shared/domain/knowledge/indexing/chunks.ts';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { type Embedder, embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { AppError } from '#shared/errors.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { decodeVector } from '#shared/vectors/vector.ts';
import { api } from '../support/api.ts';
import { wordEmbedder } from '../support/indexed-contents.ts';
import { aProject } from '../support/people.ts';
import { runJobs } from '../support/run-jobs.ts';

const resize = (vector: Float32Array, dimension: number) =>
  Float32Array.from({ length: dimension }, (_, index) => vector[index] ?? 0);

/** An embedder that records what it embeds. Vectors are comparable only if their embedders have the same `rotation`. */
const recordingEmbedder = (name: string, rotation: number, dimension = wordEmbedder.dimension) => {
  const texts: string[] = [];
  const rotate = (vector: Float32Array) => vector.map((_, index) => vector[(index + rotation) % vector.length] ?? 0);
  const model: Embedder = {
    ...wordEmbedder,
    ...{ name, dimension },
    embed: async (input, options) => {
      texts.push(...input.filter((text) => text !== 'probe'));
      return (await wordEmbedder.embed(input, options)).map((vector) => resize(rotate(vector), dimension));
    },
  };
  return { model, texts };
};

const TEXTS = {
  bread: 'Bread rises in a warm place for an hour.',
  soup: 'Soup tastes better on the second day.',
  tea: 'Green tea must not boil.',
};

describe('Change of the embedding model', () => {
  const original = embedder();
  let old: ReturnType<typeof recordingEmbedder>;
  let next: ReturnType<typeof recordingEmbedder>;
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let key: { id_project: string; namespace: string };
  let test = 0;

  beforeEach(async () => {
    test += 1;
    [old, next] = [recordingEmbedder(`old ${test}`, 0), recordingEmbedder(`next ${test}`, 7)];
    setEmbedder(old.model);
    fixture = await aProject();
    key = { id_project: fixture.project.id, namespace: fixture.project.id };
    await addText('bread');
    await addText('soup');
    setEmbedder(next.model, old.model);
    old.texts.length = 0;
  });
  afterEach(() => setEmbedder(original));

  const addText = async (name: keyof typeof TEXTS) => {
    const body = { name, type: 'text', source: name, content: TEXTS[name], namespace: key.namespace };
    const { status, text } = await api(fixture.admin).post(`/v3/${key.id_project}/kb`, body);
    expect(status, text).to.equal(200);
    await runJobs();
  };
  /** The texts that a search with vectors alone finds, best first. */
  const find = async (question: string) =>
    (await retrieve(key, question, { limit: 5, alpha: 1 })).chunks.map(({ text }) => text);
  const vectorIds = async (model: Embedder) => {
    const [words] = await wordEmbedder.embed(['bread soup tea'], { project: key.id_project });
    const vector = resize(words as Float32Array, model.dimension);
    return (await chunkIndex().search(indexSpaceOf(key, model), { vector, limit: 9 })).vector.map(({ id }) => id);
  };
  const readNamespace = () => KbNamespace.findOne({ id_project: key.id_project, id: key.namespace }).lean();
  const embedInBackground = async () => {
    await enqueue('bulk.embed-chunks', { id_project: key.id_project });
    await runJobs();
  };
  const embedFirst = async (count: number) => {
    const contents = await KbContent.find({ id_project: key.id_project }).sort({ _id: 1 }).limit(count).lean();
    for (const { _id, publishedAttemptId } of contents)
      await embedStoredChunks({ ...key, id: String(_id), publishedAttemptId: publishedAttemptId ?? '' }, next.model);
  };
  const sweep = async () => {
    await enqueue('maintenance.sweep-contents', {});
    await runJobs();
  };
  /** Configures a model that has the name of the new one but another dimension. */
  const widenNext = () => {
    const wide = recordingEmbedder(next.model.name, 7, 128);
    setEmbedder(wide.model, old.model);
    return wide;
  };
  const expectOnlyVectorsOf = async ({ name, dimension }: Embedder) => {
    for (const chunk of await KbChunk.find({ id_project: key.id_project }).lean()) {
      expect(chunk).to.include({ model: name }).and.not.have.any.keys('nextVector', 'nextModel');
      expect(decodeVector(chunk.vector)).to.have.length(dimension);
    }
    expect((await readNamespace())?.embeddingModel).to.include({ name, dimension });
  };

  it('while chunks are embedded again, questions are compared with the vectors of the old model', async () => {
    await embedFirst(1);
    expect(next.texts).to.have.length(1);
    expect(await find('bread in a warm place')).to.have.members([TEXTS.bread, TEXTS.soup]);
    expect((await find('bread in a warm place'))[0]).to.equal(TEXTS.bread);
    expect(next.texts).to.have.length(1);
    expect(old.texts).to.include('bread in a warm place');
    expect(await vectorIds(old.model)).to.have.length(2);
    expect(await vectorIds(next.model)).to.have.length(1);
  });

  it('a content that is added while chunks are embedded again is found immediately, and gets vectors of the new model later', async () => {
    await embedFirst(1);
    await addText('tea');
    expect((await find('green tea'))[0]).to.equal(TEXTS.tea);
    await embedInBackground();
    expect(await vectorIds(next.model)).to.have.length(3);
    expect((await find('green tea'))[0]).to.equal(TEXTS.tea);
  });

  it('the namespace switches to the new model when all chunks are embedded, each once, and its old vectors are dropped later', async () => {
    expect(await projectsToEmbed(next.model.name)).to.include(key.id_project);
    await embedInBackground();
    expect(next.texts).to.have.members([`bread\n${TEXTS.bread}`, `soup\n${TEXTS.soup}`]);
    expect(await readNamespace()).to.have.nested.include({
      ...{ 'embeddingModel.name': next.model.name, 'replacedModel.name': old.model.name },
    });
    expect((await find('second day'))[0]).to.equal(TEXTS.soup);
    expect(old.texts).to.deep.equal([]);
    const chunks = await KbChunk.find({ id_project: key.id_project }).lean();
    expect(new Set(chunks.map(({ model }) => model))).to.deep.equal(new Set([next.model.name]));
    for (const chunk of chunks) expect(chunk).to.not.have.any.keys('nextVector', 'nextModel');
    expect(await projectsToEmbed(next.model.name)).to.not.include(key.id_project);
    await dropReplacedVectors();
    expect(await vectorIds(old.model)).to.have.length(2); // other processes may still search them
    await KbNamespace.updateOne({ id_project: key.id_project }, { $set: { modelSwitchedAt: new Date(0) } });
    await dropReplacedVectors();
    expect(await vectorIds(old.model)).to.deep.equal([]);
    expect(await vectorIds(next.model)).to.have.length(2);
    expect(await readNamespace()).to.not.have.any.keys('replacedModel', 'modelSwitchedAt');
  });

  it('a namespace whose worker was killed before the switch to the new model is switched by the next job', async () => {
    await embedFirst(2);
    expect(await projectsToEmbed(next.model.name)).to.include(key.id_project);
    expect((await modelsOf(key)).model?.name).to.equal(old.model.name);
    await embedInBackground();
    expect((await modelsOf(key)).model?.name).to.equal(next.model.name);
    expect(next.texts).to.have.length(2);
  });

  it('an index that is rebuilt while chunks are embedded again has the vectors of both models', async () => {
    await embedFirst(1);
    await KbNamespace.updateOne({ id_project: key.id_project }, { $set: { indexId: '' } });
    await rebuildNamespace({ id_project: key.id_project, id: key.namespace });
    expect(await vectorIds(old.model)).to.have.length(2);
    expect(await vectorIds(next.model)).to.have.length(1);
    expect(next.texts).to.have.length(1);
  });

  it('a namespace whose old model is no longer available is searched with the new one immediately', async () => {
    setEmbedder(next.model);
    await embedFirst(1);
    expect((await find('bread in a warm place'))[0]).to.equal(TEXTS.bread);
    expect(next.texts).to.include('bread in a warm place');
  });

  it('a namespace whose provider refuses the old model is searched with the new one, and the question does not fail', async () => {
    const refuse = () => Promise.reject(new AppError(502, 'AI_REQUEST_REJECTED', 'Unknown model'));
    setEmbedder(next.model, { ...old.model, embed: refuse });
    await embedFirst(1);
    expect((await find('bread in a warm place'))[0]).to.equal(TEXTS.bread);
  });

  it('if the configured model has the same name but another dimension, all chunks are embedded again, and the index can be rebuilt', async () => {
    const wide = recordingEmbedder(old.model.name, 0, 128);
    setEmbedder(wide.model);
    await sweep();
    expect(await vectorIds(wide.model)).to.have.length(2);
    expect((await find('bread in a warm place'))[0]).to.equal(TEXTS.bread);
    expect(await readNamespace()).to.have.nested.include({
      ...{ 'embeddingModel.dimension': 128, 'replacedModel.dimension': wordEmbedder.dimension },
    });
    await KbNamespace.updateOne({ id_project: key.id_project }, { $set: { indexId: '' } });
    await rebuildNamespace({ id_project: key.id_project, id: key.namespace });
    expect(await vectorIds(wide.model)).to.have.length(2);
  });

  it('if EMBEDDING_DIMENSION is wrong, so that every call to the model fails, no vectors are deleted', async () => {
    const embed = () => Promise.reject(new AppError(502, 'AI_BAD_ANSWER', 'Wrong dimension'));
    await discardOtherDimensions({ ...old.model, dimension: 128, embed });
    expect(await KbChunk.countDocuments({ id_project: key.id_project, vector: { $exists: true } })).to.equal(2);
    expect(await readNamespace()).to.have.nested.property('embeddingModel.dimension', wordEmbedder.dimension);
  });

  it('if the dimension of the new model changes before the switch, no vectors of the previous dimension are used', async () => {
    await embedFirst(1);
    const wide = widenNext();
    await KbNamespace.updateOne({ id_project: key.id_project }, { $set: { indexId: '' } });
    await rebuildNamespace({ id_project: key.id_project, id: key.namespace });
    await embedInBackground(); // finds vectors of the previous dimension, and deletes them
    expect((await modelsOf(key)).model?.name).to.equal(old.model.name);
    await embedInBackground();
    await expectOnlyVectorsOf(wide.model);
    expect(wide.texts).to.have.length(2);
    expect(await vectorIds(wide.model)).to.have.length(2);
  });

  it('if the dimension of the new model changes after a worker was killed during the switch, all chunks are embedded again', async () => {
    await embedFirst(2);
    await switchModel(key, next.model); // the worker is killed before it moves `nextVector` to `vector`
    const wide = widenNext();
    await sweep();
    await expectOnlyVectorsOf(wide.model);
    expect(await vectorIds(wide.model)).to.have.length(2);
  });

  it('vectors of the new model are kept, and not used, if EMBEDDING_DIMENSION is wrong', async () => {
    await embedFirst(2);
    const embed = () => Promise.reject(new AppError(502, 'AI_BAD_ANSWER', 'Wrong dimension'));
    await switchIfComplete(key, { ...next.model, dimension: 128, embed });
    const kept = { id_project: key.id_project, nextModel: next.model.name, nextVector: { $exists: true } };
    expect(await KbChunk.countDocuments(kept)).to.equal(2);
    expect(await readNamespace()).to.have.nested.property('embeddingModel.name', old.model.name);
  });

  it('a change back to the old model embeds no chunk', async () => {
    await embedFirst(1);
    setEmbedder(old.model);
    await embedInBackground();
    expect(old.texts).to.deep.equal([]);
    expect((await find('bread in a warm place'))[0]).to.equal(TEXTS.bread);
    const stored = await KbContent.distinct('embedded_by', { id_project: key.id_project });
    expect(stored).to.deep.equal([old.model.name]);
  });
});
