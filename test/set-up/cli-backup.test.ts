/** `npm run cli -- backup …` on a database and a storage of its own. */
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import mongoose, { mongo } from 'mongoose';
import { config } from '#shared/config.ts';
import { Change } from '#shared/models/change.ts';
import { KbUnansweredQuestion } from '#shared/models/kb-question.ts';
import { hex } from '../support/chunk-rows.ts';
import { aCliProcess, type CliProcess } from '../support/cli.ts';
import { aTemporaryFolder } from '../support/temporary-folder.ts';

const { Decimal128, Double, Int32, Long, ObjectId, Timestamp } = mongo.BSON;
const MESSAGES = 2500;

describe('npm run cli -- backup', () => {
  const name = `backup-${process.pid}-${hex(8)}`;
  const id_project = hex(24);
  const key = `uploads/projects/${id_project}/files/u/photo.txt`;
  const thumbnailKey = key.replace('photo', 'thumbnails_200_200-photo');
  let database: mongo.Db;
  let folder: string;
  let commands: CliProcess;

  const cli = (command: string) => commands.cli(command);
  const backupFolder = (more = '') => join(folder, 'backup', more);
  const storedPath = (fileKey: string) => join(folder, 'storage', fileKey);
  const collection = (collectionName: string) => database.collection<{ _id: unknown }>(collectionName);
  const insert = (collectionName: string, ...documents: object[]) =>
    database.collection(collectionName).insertMany(documents);

  const store = async (fileKey: string, bytes: Buffer) => {
    await mkdir(dirname(storedPath(fileKey)), { recursive: true });
    await writeFile(storedPath(fileKey), bytes);
  };

  const fillDatabase = async () => {
    const bytes = randomBytes(3000);
    const hash = (await import('node:crypto')).hash('sha256', bytes);
    await Promise.all([store(key, bytes), store(thumbnailKey, Buffer.from('small'))]);
    const file = { id_project, kind: 'asset', status: 'stored', path: key, key, name: 'photo.txt', type: 'image/png' };
    const now = new Date();
    await insert('files', { ...file, size: bytes.length, hash, thumbnail: { status: 'stored' }, createdAt: now });
    await insert(
      'messages',
      ...Array.from({ length: MESSAGES }, (_, index) => ({ id_project, text: `Text ${index}` })),
    );
    await insert('requests', {
      ...{ _id: 'a text', double: new Double(1), integer: new Int32(1), long: Long.fromNumber(1), none: null },
      ...{ decimal: Decimal128.fromString('1.10'), time: new Timestamp({ t: 1, i: 2 }), bytes: Buffer.from('bytes') },
      ...{ pattern: new mongo.BSON.BSONRegExp('a', 'i'), nested: { list: [1, { empty: {} }, []] } },
    });
    await insert('kb_unanswered', { id_project, namespace: id_project, question: 'Why?', createdAt: now });
    await insert('changes', { _id: 'expires', id_project, createdAt: new Date(0) });
    await insert('relays', { _id: 'relay', epoch: 3, token: { _data: '82' }, relayedUntil: now });
    await insert('kb_namespaces', {
      ...{ id: id_project, id_project, name: 'Default', preview_settings: {}, indexId: 'an index', __v: 0 },
    });
    const chunk = {
      id_project,
      namespace: id_project,
      content: hex(24),
      attemptId: '01M8CRY89FA53CX9DCJDXA1Z44',
      headings: [],
      model: '',
    };
    const chunks = ['Opening hours', 'Prices'].map((text, index) => ({
      ...chunk,
      _id: hex(32),
      index,
      text,
      tokens: 2,
    }));
    await insert('kb_chunks', ...chunks.map((each) => ({ ...each, hash: hex(8) })));
    await database.createCollection('empty', { collation: { locale: 'de' } });
    for (const model of [KbUnansweredQuestion, Change])
      for (const [keys, options] of model.schema.indexes())
        if (!options.expireAfterSeconds || model === Change)
          await database.collection(model.modelName).createIndex(keys as mongo.IndexSpecification, {
            ...(options as mongo.CreateIndexesOptions),
            // The document of `changes` is dated 1970. MongoDB keeps it until 2033, so only the test deletes it.
            ...(model === Change && options.expireAfterSeconds ? { expireAfterSeconds: 2_000_000_000 } : {}),
          });
  };

  before(async () => {
    folder = await aTemporaryFolder('backup-');
    database = mongoose.connection.getClient().db(name);
    await fillDatabase();
    const uri = new URL(config.MONGODB_URI);
    uri.pathname = `/${name}`;
    const FILE_STORAGE = join(folder, 'storage');
    const settings = {
      DATA_DIR: join(folder, 'data'),
      FILE_STORAGE,
      EMBEDDING_MODEL_FILE: 'off',
      MONGODB_URI: uri.href,
    };
    commands = await aCliProcess(settings);
  });

  after(async () => {
    await commands.close();
    await database.dropDatabase();
    await rm(folder, { recursive: true });
  });

  it('backup create copies every collection and file, and an unfinished backup is recognized and replaced', async () => {
    await mkdir(backupFolder('collections'), { recursive: true });
    await writeFile(backupFolder('collections/half.bson.zst'), 'half');
    const unfinished = await cli(`backup verify ${backupFolder()}`);
    expect(unfinished).to.include({ code: 1 }).and.property('error').to.include('contains no finished backup');
    const created = await cli(`backup create ${backupFolder()}`);
    expect(created.error).to.equal('');
    expect(created.out)
      .to.match(/^2508 documents in 9 collections, all as of 2\S+Z\.$/m)
      .and.include('2 files, 3005 bytes.');
    expect(await readdir(backupFolder('collections'))).to.not.include('half.bson.zst');
    const again = await cli(`backup create ${backupFolder()}`);
    expect(again).to.include({ code: 1 }).and.property('error').to.include('Choose an empty or a new folder');
  });

  it('after a backup, a wipe and a restore, `backup verify` finds matching counts and hashes, and the index is built again', async () => {
    const indexes = await Promise.all(['kb_unanswered', 'changes'].map((each) => collection(each).indexes()));
    await database.dropDatabase();
    await rm(storedPath(''), { recursive: true });
    expect((await cli(`backup verify ${backupFolder()}`)).code).to.equal(1);
    expect(await cli(`backup restore ${backupFolder()}`)).to.include({ code: 0, error: '' });
    const verified = await cli(`backup verify ${backupFolder()}`);
    expect(verified.out).to.include('Verified: no differences.');
    expect(verified.code).to.equal(0);
    for (const line of ['messages +2500 +equal', 'requests +1 +equal', 'relays +1 +1 adapted', 'empty +0 +equal'])
      expect(verified.out).to.match(new RegExp(`^${line}$`, 'm'));
    expect(await Promise.all(['kb_unanswered', 'changes'].map((each) => collection(each).indexes()))).to.deep.equal(
      indexes,
    );
    expect((await database.listCollections({ name: 'empty' }).toArray())[0]).to.nested.include({
      'options.collation.locale': 'de',
    });
    expect(await collection('relays').findOne())
      .to.include({ epoch: 3 })
      .and.not.have.property('token');
    const rebuilt = await cli('kb rebuild');
    expect(rebuilt.out).to.include('1 namespace, 2 chunks, no embedding calls.');
    expect((await cli(`backup verify ${backupFolder()}`)).out).to.match(/^kb_namespaces +1 +1 adapted$/m);
  });

  it('`backup verify` names changed, missing, added and expired documents, and damaged and missing files', async () => {
    const [changed, missing] = await collection('messages').find().sort({ _id: 1 }).limit(2).toArray();
    await collection('messages').updateOne({ _id: changed?._id }, { $set: { text: 'Another' } });
    await collection('messages').deleteOne({ _id: missing?._id });
    await insert('requests', { _id: new ObjectId() });
    await database.command({ collMod: 'changes', index: { keyPattern: { createdAt: 1 }, expireAfterSeconds: 1 } });
    await collection('changes').deleteMany({});
    await appendFile(storedPath(key), 'more');
    await rm(storedPath(thumbnailKey));
    const { code, out } = await cli(`backup verify ${backupFolder()}`);
    expect(code).to.equal(1);
    expect(out)
      .to.match(/^messages +2500 +1 missing, 1 changed /m)
      .and.include(String(changed?._id))
      .and.include(String(missing?._id))
      .and.match(/^requests +1 +1 added$/m)
      .and.match(/^changes +1 +1 expired$/m)
      .and.include(`File  ${key}: its bytes differ from those in the backup`)
      .and.include(`File  ${thumbnailKey}: it is in no storage`);
  });

  it('a refused restore keeps every collection, including empty ones, and their indexes', async () => {
    await collection('changes').deleteMany({});
    const readIndexes = async () => {
      const names = (await database.listCollections().toArray()).map((each) => each.name).toSorted();
      return Promise.all(names.map(async (each) => [each, await collection(each).indexes()]));
    };
    const before = await readIndexes();
    expect((await cli(`backup restore ${backupFolder()}`)).error).to.include('has documents');
    expect(await readIndexes()).to.deep.equal(before);
  });

  it('`backup restore` requires an empty database or --force, repairs files, and continues after an interruption', async () => {
    const refused = await cli(`backup restore ${backupFolder()}`);
    expect(refused)
      .to.include({ code: 1 })
      .and.property('error')
      .to.match(/has documents.*--force/);
    expect((await cli(`backup restore ${backupFolder()} --force`)).code).to.equal(0);
    const { backup } = JSON.parse((await cli(`backup restore ${backupFolder()} --force --json`)).out);
    expect((await cli(`backup verify ${backupFolder()}`)).out).to.include('Verified: no differences.');
    // The state after a killed restore: the first collections are complete, one is incomplete, and one is missing.
    await collection('requests').drop();
    await collection('messages').deleteMany({ text: /7/ });
    const done = ['changes', 'empty', 'files', 'kb_chunks', 'kb_namespaces', 'kb_unanswered'];
    await insert('restore_progress', { _id: 'restore', backup, done });
    const { out, code } = await cli(`backup restore ${backupFolder()}`);
    expect(code, out).to.equal(0);
    expect((await cli(`backup verify ${backupFolder()}`)).out).to.include('Verified: no differences.');
    expect(await database.listCollections({ name: 'restore_progress' }).toArray()).to.deep.equal([]);
  });

  it('`backup verify --backup-only` names a damaged file of the backup without a database, and restore refuses the backup', async () => {
    const part = 'collections/messages.bson.zst';
    await appendFile(backupFolder(part), 'x');
    const { code, out } = await cli(`backup verify ${backupFolder()} --backup-only --json`);
    expect(code).to.equal(1);
    expect(JSON.parse(out).damaged).to.deep.equal([{ name: part, problem: 'its bytes have changed since the backup' }]);
    const refused = await cli(`backup restore ${backupFolder()} --force`);
    expect(refused).to.include({ code: 1 }).and.property('error').to.include(`${part} is damaged`);
    expect(await collection('messages').countDocuments()).to.equal(MESSAGES);
  });
});
