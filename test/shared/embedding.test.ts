import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { createEmbedder, embedder, embedderOf, setEmbedder } from '#shared/embedding/embedder.ts';

describe('Choice of the embedder', () => {
  let folder: string;
  const make = (settings: Partial<typeof config>) =>
    createEmbedder({
      ...config,
      DATA_DIR: folder,
      EMBEDDING_MODEL: undefined,
      EMBEDDING_MODEL_FILE: undefined,
      OPENAI_API_KEY: undefined,
      OPENAI_BASE_URL: undefined,
      ...settings,
    });
  const aModelFile = async (name: string) => {
    await mkdir(join(folder, 'model'), { recursive: true });
    await writeFile(join(folder, 'model', name), 'not the known model');
    return join(folder, 'model', name);
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedder-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('the provider is used if an embedding model is configured together with a base URL or an API key', async () => {
    await aModelFile('model.onnx');
    const named = { EMBEDDING_MODEL: 'some-model', EMBEDDING_DIMENSION: 768 };
    for (const access of [{ OPENAI_API_KEY: 'key' }, { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }])
      expect(make({ ...named, ...access })).to.include({ provider: 'openai', name: 'some-model', dimension: 768 });
    expect(make(named)).to.have.property('provider', 'local');
  });

  it('the local model is the file that EMBEDDING_MODEL_FILE names, or by default the file that the setup has downloaded', async () => {
    expect(make({ EMBEDDING_MODEL_FILE: await aModelFile('other.onnx') })).to.include({
      provider: 'local',
      dimension: 384,
    });
    expect(make({})).to.equal(null);
    await aModelFile('model.onnx');
    expect(make({})).to.have.property('provider', 'local');
  });

  it('the name of the embedder contains the hash of a model file that is not in KNOWN_MODELS', async () => {
    expect(make({ EMBEDDING_MODEL_FILE: await aModelFile('other.onnx') })?.name).to.match(/^other-[0-9a-f]{8}$/);
  });

  it('embedderOf returns the embedder of a model that is no longer configured, by the provider, name and dimension of the model', async () => {
    const [original, { EMBEDDING_MODEL_FILE, OPENAI_BASE_URL }] = [embedder(), config];
    config.EMBEDDING_MODEL_FILE = await aModelFile('other.onnx');
    const { name } = make(config) ?? { name: '' };
    setEmbedder(null);
    expect(embedderOf({ provider: 'local', name, dimension: 5 })).to.equal(null);
    expect(embedderOf({ provider: 'local', name, dimension: 384 })).to.include({ name, dimension: 384 });
    config.OPENAI_BASE_URL = 'http://127.0.0.1:1/v1';
    for (const dimension of [256, 512, 256])
      expect(embedderOf({ provider: 'openai', name: 'some-model', dimension })).to.include({ dimension });
    Object.assign(config, { EMBEDDING_MODEL_FILE, OPENAI_BASE_URL });
    setEmbedder(original);
  });

  it('there is no embedder if the local model is switched off or its file is missing', async () => {
    await aModelFile('model.onnx');
    expect(make({ EMBEDDING_MODEL_FILE: 'off' })).to.equal(null);
    expect(make({ EMBEDDING_MODEL_FILE: join(folder, 'missing.onnx') })).to.equal(null);
  });

  it('if the model file cannot be loaded, the first text fails with AI_UNAVAILABLE', async () => {
    const embedder = make({ EMBEDDING_MODEL_FILE: await aModelFile('broken.onnx') });
    const error = await embedder?.embed(['a'], { project: 'p' }).catch((reason: unknown) => reason);
    expect(error).to.include({ status: 503, code: 'AI_UNAVAILABLE' });
    await embedder?.close();
  });
});
