/** The migration to another vector store, which is filled before use. An interrupted migration can be repeated. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { indexSpaceOf } from '#shared/domain/knowledge/indexing/chunks.ts';
import { findOutdatedNamespaces, rebuildNamespace } from '#shared/domain/knowledge/indexing/index-registry.ts';
import { type MigrationProgress, migrateStore } from '#shared/domain/knowledge/indexing/migrate-store.ts';
import { retrieve } from '#shared/domain/knowledge/retrieval/retrieve.ts';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { type ChunkIndex, chunkIndex, setChunkIndex } from '#shared/vectors/index.ts';
import { lanceIndex } from '#shared/vectors/lance-index.ts';
import { aNamespaceKey, anIndexedContent, wordEmbedder } from '../support/indexed-contents.ts';
import { clearKnowledge } from '../support/knowledge.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';

const BREAD = 'Bread rises in a warm place for an hour.';

describe('Migration to another vector store', () => {
  const original = embedder();
  let folder: string;
  let target: ChunkIndex;
  let key: ReturnType<typeof aNamespaceKey>;
  let contents: string[];

  beforeEach(async () => {
    setEmbedder(wordEmbedder);
    await clearKnowledge();
    folder = await aTemporaryFolder('store-');
    target = lanceIndex(join(folder, 'lancedb'), join(folder, 'locks'));
    key = aNamespaceKey();
    const namespace = { id_project: key.id_project, id: key.namespace, name: 'Shop', preview_settings: {} };
    await KbNamespace.create([{ ...namespace, indexId: await chunkIndex().identity() }]);
    contents = [await anIndexedContent(key, [BREAD, 'Soup is hot.']), await anIndexedContent(key, ['Tea is green.'])];
  });
  afterEach(async () => {
    setChunkIndex(undefined);
    setEmbedder(original);
    await target.close();
    await rm(folder, { recursive: true, force: true });
  });

  const storedIds = async () =>
    (await KbChunk.find({ id_project: key.id_project }, { _id: 1 }).lean()).map(({ _id }) => _id).toSorted();
  const targetIds = async () => (await Array.fromAsync(target.entries(indexSpaceOf(key)), ({ id }) => id)).toSorted();
  const migrate = async () => {
    const steps: MigrationProgress[] = [];
    return { ...(await migrateStore(target, (progress) => steps.push(progress))), steps };
  };
  const isOutdated = async () => (await findOutdatedNamespaces()).some(({ id }) => id === key.namespace);
  const removeChunks = async (content: string) => {
    await KbChunk.deleteMany({ id_project: key.id_project, content });
    await KbContent.deleteOne({ id_project: key.id_project, _id: content });
  };

  it('the other store gets all chunks with their vectors, and the progress ends at 100%', async () => {
    const { namespaces, chunks, added, steps } = await migrate();
    expect({ namespaces, chunks, added }).to.deep.equal({ namespaces: 1, chunks: 3, added: 3 });
    expect([steps[0], steps.at(-1)]).to.deep.equal([
      { done: 0, total: 3 },
      { done: 3, total: 3 },
    ]);
    expect(await targetIds()).to.deep.equal(await storedIds());
    setChunkIndex(target);
    const found = await retrieve(key, 'bread in a warm place', { limit: 1, alpha: 1 });
    expect(found.chunks.map(({ text }) => text)).to.deep.equal([BREAD]);
  });

  it('a migration that is repeated after an interruption continues where it stopped', async () => {
    const [space, first] = [indexSpaceOf(key), (await storedIds())[0] as string];
    const { content, attemptId, text, vector } = await KbChunk.findOne({ _id: first, id_project: key.id_project })
      .orFail()
      .lean();
    expect(vector).to.not.equal(undefined);
    await target.identity(); // creates the store, as the interrupted migration would have done
    await target.add(space, [
      { id: first, content, attemptId, text, vector: (await wordEmbedder.embed([text], { project: '' }))[0] ?? null },
    ]);
    const { added, steps } = await migrate();
    expect(added).to.equal(2);
    expect(steps).to.deep.include({ done: 1, total: 3 });
    expect((await migrate()).added).to.equal(0);
    expect(await targetIds()).to.deep.equal(await storedIds());
  });

  it('after the switch to the other store, only the changes made since the migration are written', async () => {
    await migrate();
    const late = 'Coffee is black.';
    await anIndexedContent(key, [late]);
    await removeChunks(contents[1] as string);
    setChunkIndex(target);
    expect(await isOutdated()).to.equal(true);
    // The copied chunks are found even before rebuildNamespace writes the changes.
    const found = await retrieve(key, 'bread in a warm place', { limit: 1 });
    expect(found.chunks.map(({ text }) => text)).to.deep.equal([BREAD]);
    expect(await rebuildNamespace({ id_project: key.id_project, id: key.namespace })).to.equal(1);
    expect(await isOutdated()).to.equal(false);
    expect(await targetIds()).to.deep.equal(await storedIds());
    expect((await retrieve(key, 'black coffee', { limit: 1 })).chunks.map(({ text }) => text)).to.deep.equal([late]);
  });

  it('a copy of the index with vectors from another embedding model is emptied and filled again', async () => {
    await migrate();
    await KbNamespace.updateOne({ id_project: key.id_project }, { $set: { 'copies.0.model': 'another' } });
    setChunkIndex(target);
    expect(await rebuildNamespace({ id_project: key.id_project, id: key.namespace })).to.equal(3);
    expect(await targetIds()).to.deep.equal(await storedIds());
  });

  it('a migration to the store in use is refused', async () => {
    setChunkIndex(target);
    const error = await migrate().catch((reason: unknown) => reason);
    expect(error).to.include({ status: 409, code: 'STORE_IN_USE' });
  });
});
