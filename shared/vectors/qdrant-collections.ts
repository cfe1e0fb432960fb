import type { QdrantClient } from '@qdrant/js-client-rest';
import { ulid } from 'ulid';
import { IndexLost, type Space } from './chunk-index.ts';
import { insist, statusOf } from './qdrant-call.ts';
import { vectorName, WORDS } from './qdrant-points.ts';

const dense = (size: number) => ({ size, distance: 'Cosine' as const });

const WRITE_TRIES = 5;
const READ_TRIES = 2;

/** The server, asked in a hurry or with patience: they differ in how long they wait. */
export interface Clients {
  reader: QdrantClient;
  writer: QdrantClient;
}

type Ask<T> = (client: QdrantClient, collection: string) => Promise<T>;

/**
 * One collection for each namespace of a project, not one for all with a filter: no query can forget the tenant, and
 * BM25's word counts are the namespace's own instead of telling of its neighbours. It costs the server some memory each:
 * thousands of namespaces are fine, hundreds of thousands are not.
 */
export class QdrantCollections {
  #clients: Clients;
  #prefix: string;
  /** Collection → dimensions it surely has. */
  #known = new Map<string, Set<number | null>>();

  constructor(clients: Clients, prefix: string) {
    this.#clients = clients;
    this.#prefix = prefix;
  }

  /** Asks for what needs the collection, which is made when it is missing. */
  async write(space: Space, ask: Ask<unknown>): Promise<void> {
    await this.#ensure(space);
    if ((await this.change(space, ask)) === undefined) throw new IndexLost(space);
  }

  /** Asks with patience; nothing where there is no such collection. */
  async change<T>(space: Space, ask: Ask<T>): Promise<T | undefined> {
    return this.#found(space, (name) => this.#patiently((client) => ask(client, name)));
  }

  /** Asks in a hurry; nothing where there is no such collection. */
  async read<T>(space: Space, ask: Ask<T>): Promise<T | undefined> {
    return this.#found(space, (name) => insist(READ_TRIES, () => ask(this.#clients.reader, name)));
  }

  /** Throws `IndexDown` where the server does not answer. */
  async ready(): Promise<void> {
    await insist(READ_TRIES, () => this.#clients.reader.getCollections());
  }

  /** The name of an empty collection that goes with the others; of two made at once the first by name counts. */
  async identity(): Promise<string> {
    const mark = `${this.#prefix}-identity-`;
    const known = async () => {
      const { collections } = await this.#patiently((client) => client.getCollections());
      return collections
        .map(({ name }) => name)
        .filter((name) => name.startsWith(mark))
        .toSorted()[0];
    };
    const first = await known();
    if (first) return first;
    await this.#patiently((client) =>
      client.createCollection(`${mark}${ulid().toLowerCase()}`, { vectors: { none: dense(1) } }),
    );
    return (await known()) ?? mark;
  }

  async drop(space: Space): Promise<void> {
    await this.#dropNamed(this.#nameOf(space));
  }

  async dropProject(project: string): Promise<void> {
    const { collections } = await this.#patiently((client) => client.getCollections());
    const mine = collections.filter(({ name }) => name.startsWith(`${this.#prefix}_${project}_`));
    for (const { name } of mine) await this.#dropNamed(name);
  }

  async #dropNamed(name: string): Promise<void> {
    this.#known.delete(name);
    await this.#patiently((client) => client.deleteCollection(name));
  }

  /** Whether vectors of the space's dimension can be asked for. */
  async hasDimension(space: Space): Promise<boolean> {
    const name = this.#nameOf(space);
    if (this.#known.get(name)?.has(space.dimension)) return true;
    const has = await this.#vectorsOf(space);
    if (has) this.#known.set(name, has);
    return has?.has(space.dimension) ?? false;
  }

  async #ensure(space: Space): Promise<void> {
    if (await this.hasDimension(space)) return;
    const name = this.#nameOf(space);
    const { dimension } = space;
    if (!this.#known.has(name)) await this.#create(space);
    else if (dimension !== null) {
      const config = { dense: dense(dimension) };
      await this.#unlessThere((client) => client.createVectorName(name, vectorName(dimension), config));
    }
    if (!(await this.hasDimension(space))) throw new IndexLost(space);
  }

  async #vectorsOf(space: Space): Promise<Set<number | null> | undefined> {
    const info = await this.read(space, (client, name) => client.getCollection(name));
    const vectors = info && Object.values(info.config.params.vectors ?? {});
    return vectors && new Set([null, ...vectors.map((vector) => (vector as { size: number }).size)]);
  }

  async #create(space: Space): Promise<void> {
    const { dimension } = space;
    const name = this.#nameOf(space);
    const vectors = dimension === null ? {} : { [vectorName(dimension)]: dense(dimension) };
    await this.#unlessThere((client) =>
      client.createCollection(name, { vectors, sparse_vectors: { [WORDS]: { modifier: 'idf' } } }),
    );
    for (const field_name of ['content', 'attempt']) {
      await this.#patiently((client) =>
        client.createPayloadIndex(name, { field_name, field_schema: 'keyword', wait: true }),
      );
    }
  }

  /** Another process may have been first: then it is there, which is all that is wanted. */
  async #unlessThere(make: (client: QdrantClient) => Promise<unknown>): Promise<void> {
    try {
      await this.#patiently(make);
    } catch (error) {
      const status = statusOf(error);
      if (status !== 409 && status !== 400) throw error;
    }
  }

  #patiently<T>(ask: (client: QdrantClient) => Promise<T>): Promise<T> {
    return insist(WRITE_TRIES, () => ask(this.#clients.writer));
  }

  /** The answer, nothing where there is no such collection, `IndexLost` where there was one. */
  async #found<T>(space: Space, ask: (name: string) => Promise<T>): Promise<T | undefined> {
    const name = this.#nameOf(space);
    try {
      return await ask(name);
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
      if (this.#known.delete(name)) throw new IndexLost(space, { cause: error });
      return undefined;
    }
  }

  #nameOf({ project, namespace }: Space): string {
    return `${this.#prefix}_${project}_${namespace}`;
  }
}
