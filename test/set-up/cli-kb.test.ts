/** The commands `npm run cli -- kb …`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ulid } from 'ulid';
import * as imports from '#shared/domain/knowledge/imports.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { lanceIndex } from '#shared/vectors/lance-index.ts';
import { qdrantIndex } from '#shared/vectors/qdrant-index.ts';
import { allIds, hex, idsOf, vectorOf } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess } from '../support/cli.ts';
import { aProvider } from '../support/fake-openai.ts';
import { startQdrantShim } from '../support/qdrant-shim.ts';

const MODEL_NAME = 'words-4';

const createdProjects: string[] = [];

/** Stores a new namespace with one content of two chunks, as a worker does after indexing. */
const aNamespace = async (project = hex(24)) => {
  const [namespace, content, attemptId] = [hex(24), hex(24), ulid()];
  const common = { id_project: project, namespace };
  const name = 'Returns';
  await KbNamespace.create([{ id: namespace, id_project: project, name, preview_settings: {}, indexId: 'lost' }]);
  const done = {
    status: 300,
    publishedAttemptId: attemptId,
    attemptIds: [attemptId],
    chunks: 2,
    embedded_by: MODEL_NAME,
  };
  await KbContent.create([{ _id: content, ...common, type: 'text', source: hex(8), name, ...done }]);
  const chunks = ['thirty days', 'unused goods'].map((text, index) => ({
    ...{ _id: hex(40), ...common, content, attemptId, index, text, hash: hex(40), tokens: 2, model: MODEL_NAME },
    vector: Buffer.from(vectorOf(1, 0, 0, index).buffer),
  }));
  await KbChunk.insertMany(chunks);
  createdProjects.push(project);
  return { project, namespace, ids: chunks.map(({ _id }) => _id).toSorted() };
};

describe('npm run cli -- kb', () => {
  let folder: string;
  let provider: Awaited<ReturnType<typeof aProvider>>;
  let commands: CliProcess;
  /** A process without an embedding model. */
  let limited: CliProcess;

  const cli = (command: string) => commands.cli(command);

  const indexed = async ({ project, namespace }: { project: string; namespace: string }) => {
    const index = lanceIndex(join(folder, 'lancedb'), join(folder, 'lanes'));
    const ids = await allIds(index, { project, namespace, dimension: 4 });
    await index.close();
    return ids.toSorted();
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cli-'));
    provider = await aProvider({ dimension: 4 });
    const settings = { DATA_DIR: folder, QUEUE_PREFIX: hex(8) };
    const model = { OPENAI_BASE_URL: provider.baseUrl, EMBEDDING_MODEL: MODEL_NAME, EMBEDDING_DIMENSION: '4' };
    [commands, limited] = await Promise.all([
      aCliProcess({ ...settings, ...model }),
      aCliProcess({ ...settings, EMBEDDING_MODEL_FILE: 'off' }),
    ]);
  });

  after(async () => {
    await Promise.all([commands.close(), limited.close()]);
    await provider.close();
    // Otherwise, a sweep in another test would try to rebuild the namespaces, whose index is only in `folder`.
    for (const model of [KbNamespace, KbContent, KbChunk] as const)
      await (model as typeof KbChunk).deleteMany({ id_project: { $in: createdProjects } });
    await rm(folder, { recursive: true });
  });

  it('`kb rebuild` fills the index of a project from MongoDB without an embedding call', async () => {
    const [mine, otherNamespace] = [await aNamespace(), await aNamespace()];
    const { code, out, error } = await cli(`kb rebuild --project ${mine.project}`);
    expect({ code, error }).to.deep.equal({ code: 0, error: '' });
    expect(out).to.include(`Vectors  ${MODEL_NAME}`).and.include(`namespace ${mine.namespace}  2 chunks`);
    expect(out).to.match(/1 namespace, 2 chunks, no embedding calls\.\n$/);
    expect(await indexed(mine)).to.deep.equal(mine.ids);
    expect(await indexed(otherNamespace)).to.deep.equal([]);
    expect(provider.calls).to.deep.equal([]);
    const stored = await KbNamespace.findOne({ id_project: mine.project, id: mine.namespace }).lean();
    expect(stored?.indexId).to.match(/^lancedb-/);
  });

  it('`kb rebuild` rebuilds a single namespace, and a second run changes nothing', async () => {
    const one = await aNamespace();
    const other = await aNamespace(one.project);
    for (let time = 0; time < 2; time++) await cli(`kb rebuild --namespace ${one.namespace}`);
    expect(await indexed(one)).to.deep.equal(one.ids);
    expect(await indexed(other)).to.deep.equal([]);
  });

  it('`kb rebuild` fails if there is nothing to rebuild', async () => {
    const { code, error } = await cli(`kb rebuild --project ${hex(24)}`);
    expect({ code, error }).to.deep.equal({
      code: 1,
      error: 'No namespace with these ids has chunks; check --project and --namespace.\n',
    });
  });

  it('`kb status` counts contents, chunks and vectors, and names the index', async () => {
    const { project } = await aNamespace();
    const { code, out } = await cli(`kb status --project ${project}`);
    expect(code).to.equal(0);
    expect(out)
      .to.match(/^indexed +300 +1$/m)
      .and.match(/^failed +400 +0$/m);
    expect(out)
      .to.include('Chunks   2, 2 with a vector')
      .and.match(/Index +LanceDB in .+, lancedb-2-\w{26}$/m);
    const withoutModel = await limited.cli(`kb status --project ${project}`);
    expect(withoutModel.out).to.include('Chunks   2, 0 with a vector').and.include('full text only');
  });

  it('`kb why` shows the attempts of a content given by its id or source, and the progress of an import', async () => {
    const { project } = await aNamespace();
    const { _id, source } = await KbContent.findOne({ id_project: project }).orFail().lean();
    const importId = await imports.start({ id_project: project, namespace: project, type: 'url_list' }, 1);
    const entry = {
      ...{ id: ulid(), ended_at: new Date(), outcome: 'failed', code: 'HTTP_404', message: 'The site returned 404.' },
      stages: [{ stage: 'fetch', ms: 12, bytes: 345 }],
    };
    const error = { code: 'HTTP_404', message: 'The site returned 404.', hint: 'Check the address.', attempt: 1 };
    const changes = { status: 400, import_id: importId, attempts: [entry], error: { ...error, at: new Date() } };
    await KbContent.updateOne({ id_project: project }, { $set: changes });
    for (const subject of [String(_id), source]) {
      const { code, out } = await cli(`kb why ${subject}`);
      expect(code).to.equal(0);
      expect(out)
        .to.include(`Content  ${String(_id)}  text  ${source}`)
        .and.include('Status   400 failed');
      expect(out).to.include('Reason   HTTP_404: The site returned 404.\nHint     Check the address.');
      expect(out).to.match(/^\d{4}-\S+Z +failed +\d+ ms +fetch 12 ms 345 bytes +HTTP_404$/m);
    }
    const { out } = await cli(`kb why ${importId}`);
    expect(out).to.include(`Import   ${importId}  url_list  1 content`).and.include('Done     1 of 1 (100%)');
    expect(out)
      .to.match(/^failed +1$/m)
      .and.include(`1 failed: HTTP_404, for example ${source}\n  Check the address.`);
    await KbContent.updateOne({ id_project: project }, { $set: { source: 'red \u001b[31m' } });
    expect((await cli(`kb why ${String(_id)}`)).out)
      .to.include('red \ufffd[31m')
      .and.not.include('\u001b');
    const unknown = await cli('kb why nothing');
    expect(unknown.code).to.equal(1);
    expect(unknown.error).to.match(/^No content or import has the id or source nothing\./);
  });

  it('`kb migrate-store` copies the index to Qdrant and prints its progress, and a second run copies nothing', async function () {
    const shim = await startQdrantShim().catch(() => this.skip());
    const { ids, ...key } = await aNamespace();
    const missing = await cli('kb migrate-store --to qdrant');
    expect([missing.code, missing.error]).to.deep.equal([
      1,
      '--url must be the URL of the Qdrant server, such as http://127.0.0.1:6333.\n',
    ]);
    const first = await cli(`kb migrate-store --to qdrant --url ${shim.url}`);
    expect({ code: first.code, error: first.error }).to.deep.equal({ code: 0, error: '' });
    expect(first.out).to.include('Chunks: 100%').and.include(`Set QDRANT_URL=${shim.url} and restart`);
    const second = await cli(`kb migrate-store --to qdrant --url ${shim.url}`);
    expect(second.out).to.include(', 0 copied now, no embedding calls.');
    const space = { ...key, dimension: 4, model: MODEL_NAME };
    const { vector } = await qdrantIndex({ url: shim.url }).search(space, { vector: vectorOf(1, 0, 0, 0), limit: 5 });
    expect(idsOf(vector).toSorted()).to.deep.equal(ids);
    expect(provider.calls.filter(({ body }) => body.model === MODEL_NAME)).to.deep.equal([]);
    await shim.stop();
  });
});
