/**
 * The bytes of conversations, messages and chunks in MongoDB, with their index entries. The conversations are made by
 * calls to the API, and their events are relayed. docs/scale-out.md computes the size of an installation from these
 * figures.
 */
import { expect } from 'chai';
import mongoose from 'mongoose';
import { embedder, setEmbedder } from '#shared/embedding/embedder.ts';
import { makeSentences } from '../../scripts/seed/random-texts.ts';
import { seededRandom } from '../../scripts/seed/seeded-random.ts';
import { anApi, type Caller, call } from '../support/api.ts';
import { waitForRelay } from '../support/changes-log.ts';
import { useEmptyDatabase } from '../support/fleet-database.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { startRelayOnce } from '../support/relay.ts';
import { aLargeNamespace, generatingEmbedder } from './parts/large-namespace.ts';

const CONVERSATIONS = Number(process.env.CONVERSATIONS ?? 1000);
const CHUNKS = Number(process.env.CHUNKS ?? 20_000);
const MESSAGES_PER_CONVERSATION = 6;
const MAX_SENTENCES = 3;
const PARALLEL_CONVERSATIONS = 8;

const random = seededRandom(6);
const sentences = makeSentences(random);
const anyOf = <T>(items: T[]): T => items[Math.floor(random() * items.length)] as T;

/** A text of one to three sentences. */
const aText = (): string => times(1 + Math.floor(random() * MAX_SENTENCES), () => anyOf(sentences)).join(' ');

const send = async (method: 'POST' | 'PUT', path: string, { by, body }: { by: Caller; body: object }) => {
  const headers = { authorization: by.authorization };
  const { status, text } = await call(method, (await anApi()) + path, { body, headers, checkOpenapi: false });
  expect(status, text).to.equal(200);
};

/** A visitor and an agent write in turn; then the agent closes the conversation. */
const makeConversation = async (root: string, { agent, visitor }: { agent: Caller; visitor: Caller }) => {
  for (const index of times(MESSAGES_PER_CONVERSATION, Number))
    await send('POST', `${root}/messages`, { by: index % 2 ? agent : visitor, body: { text: aText() } });
  await send('PUT', `${root}/close`, { by: agent, body: {} });
};

const makeConversations = async (): Promise<void> => {
  const { project, owner: agent } = await aProject();
  const numbers = times(CONVERSATIONS, Number).values();
  const makeRemaining = async () => {
    for (const number of numbers) {
      const root = `/v3/${project.id}/requests/support-group-${project.id}-${number}`;
      await makeConversation(root, { agent, visitor: await aVisitor(project.id) });
    }
  };
  await Promise.all(times(PARALLEL_CONVERSATIONS, makeRemaining));
};

const database = () => mongoose.connection.getClient().db(mongoose.connection.name);

const checkpoint = () => database().admin().command({ fsync: 1 });

const readStats = async (name: string): Promise<Record<string, number>> => {
  const [stats] = await database()
    .collection(name)
    .aggregate<{ storageStats: Record<string, number> }>([{ $collStats: { storageStats: {} } }])
    .toArray();
  return stats?.storageStats ?? {};
};

/** The bytes on disk of a copy of the collection with default compression: test databases are not compressed. */
const compressedSize = async (name: string): Promise<number> => {
  const copy = `compressed_${name}`;
  const storageEngine = { wiredTiger: { configString: 'block_compressor=snappy' } };
  await database().createCollection(copy, { storageEngine });
  await database()
    .collection(name)
    .aggregate([{ $merge: copy }])
    .toArray();
  await checkpoint();
  const { storageSize = 0 } = await readStats(copy);
  await database().collection(copy).drop();
  return storageSize;
};

/** The number of documents, and the average bytes of a document: its own, compressed on disk, and in the indexes. */
const sizesOf = async (name: string) => {
  const { count = 0, size = 0, totalIndexSize = 0 } = await readStats(name);
  const each = (bytes: number) => Math.round(bytes / count);
  return { count, bytes: each(size), stored: each(await compressedSize(name)), indexes: each(totalIndexSize) };
};

/** Prints the sizes of collections after MongoDB has written them to disk. */
const printSizes = async (names: string[]): Promise<void> => {
  await checkpoint();
  for (const name of names) {
    const sizes = await sizesOf(name);
    expect(sizes.count, name).to.be.above(0);
    console.log(`      ${name} ${JSON.stringify(sizes)}`);
  }
};

describe('Sizes of records', () => {
  useEmptyDatabase();

  it(`prints the sizes of the records of ${CONVERSATIONS} closed conversations with ${MESSAGES_PER_CONVERSATION} messages each`, async () => {
    startRelayOnce();
    await makeConversations();
    await waitForRelay(300);
    await printSizes(['requests', 'messages', 'leads', 'project_users', 'changes']);
  });

  it(`prints the sizes of the records of ${CHUNKS} chunks with vectors of ${generatingEmbedder.dimension} dimensions`, async () => {
    const configured = embedder();
    setEmbedder(generatingEmbedder);
    try {
      await aLargeNamespace(CHUNKS);
      await printSizes(['kb_chunks', 'kb_words']);
    } finally {
      setEmbedder(configured);
    }
  });
});
