/** Qdrant collections: creation, removal and calls with retries. A space is a namespace with an embedding model. */
import type { QdrantClient } from '@qdrant/js-client-rest';
import { ulid } from 'ulid';
import { IndexMissingError, type IndexSpace, LAYOUT_VERSION } from './chunk-index.ts';
import { BM25_VECTOR, vectorName } from './qdrant-points.ts';
import { httpStatus, isExistingError, withRetry } from './qdrant-retry.ts';

const denseVector = (size: number) => ({ size, distance: 'Cosine' as const });

const WRITE_ATTEMPTS = 5;
const READ_ATTEMPTS = 2;

/** Two clients of the same server: the reader with a short timeout, the writer with a long timeout. */
export interface QdrantClients {
  reader: QdrantClient;
  writer: QdrantClient;
}

interface PointVectors {
  id: string;
  vector: Record<string, number[]>;
}

type CollectionCall<T> = (client: QdrantClient, collection: string) => Promise<T>;

/**
 * The collections on the server. Each namespace has its own collection, so that no query finds the chunks of another
 * tenant, and BM25 statistics reveal nothing about other tenants. Each collection costs the server memory: thousands of
 * namespaces are fine, hundreds of thousands are not.
 */
export class QdrantCollections {
  #clients: QdrantClients;
  #prefix: string;
  /** The names of the dense vectors that are known to exist, by collection. */
  #vectorsOf = new Map<string, Set<string>>();

  constructor(clients: QdrantClients, prefix: string) {
    this.#clients = clients;
    this.#prefix = prefix;
  }

  /**
   * Makes a call with the writer, after creating the collection if it is missing. Throws `IndexMissingError` if the
   * collection disappears in the meantime.
   */
  async write(space: IndexSpace, call: CollectionCall<unknown>): Promise<void> {
    await this.#ensureCollection(space);
    if ((await this.writeIfPresent(space, call)) === undefined) throw new IndexMissingError(space);
  }

  /** Makes a call with the writer; returns undefined if the collection does not exist. */
  async writeIfPresent<T>(space: IndexSpace, call: CollectionCall<T>): Promise<T | undefined> {
    return this.#onCollection(space, (name) => this.#callWriter((client) => call(client, name)));
  }

  /** Makes a call with the reader; returns undefined if the collection does not exist. */
  async read<T>(space: IndexSpace, call: CollectionCall<T>): Promise<T | undefined> {
    return this.#onCollection(space, (name) => withRetry(READ_ATTEMPTS, () => call(this.#clients.reader, name)));
  }

  /** Throws `IndexUnavailableError` if the server does not answer. */
  async ready(): Promise<void> {
    await this.#listCollections();
  }

  async #listCollections(): Promise<string[]> {
    const { collections } = await withRetry(READ_ATTEMPTS, () => this.#clients.reader.getCollections());
    return collections.map(({ name }) => name);
  }

  /**
   * Returns the name of an empty collection that identifies this store. The collection is created on first use. If two
   * processes create one at the same time, the name that sorts first is used.
   */
  async identity(): Promise<string> {
    const namePrefix = `${this.#prefix}-identity-${LAYOUT_VERSION}-`;
    const findIdentity = async () =>
      (await this.#listCollections()).filter((name) => name.startsWith(namePrefix)).toSorted()[0];
    const first = await findIdentity();
    if (first) return first;
    await this.#callWriter((client) =>
      client.createCollection(`${namePrefix}${ulid().toLowerCase()}`, { vectors: { none: denseVector(1) } }),
    );
    return (await findIdentity()) ?? namePrefix;
  }

  async drop(space: IndexSpace): Promise<void> {
    await this.#dropNamed(this.#collectionName(space));
  }

  async dropProject(project: string): Promise<void> {
    const names = await this.#listCollections();
    for (const name of names.filter((each) => each.startsWith(`${this.#prefix}_${project}_`)))
      await this.#dropNamed(name);
  }

  async #dropNamed(name: string): Promise<void> {
    this.#vectorsOf.delete(name);
    await this.#callWriter((client) => client.deleteCollection(name));
  }

  /**
   * Adds vectors to existing points. If the chunk of a point has been removed, the point is missing, and the
   * server refuses the whole call; the call is then repeated with the points that exist.
   */
  async updateVectors(space: IndexSpace, points: PointVectors[]): Promise<void> {
    await this.#ensureCollection(space);
    const update = (existing: PointVectors[]) =>
      existing.length
        ? this.#callWriter((client) =>
            client.updateVectors(this.#collectionName(space), { points: existing, wait: true }),
          )
        : undefined;
    for (let attempt = 1, remaining = points; ; attempt += 1) {
      try {
        await update(remaining);
        return;
      } catch (error) {
        if (httpStatus(error) !== 404 || attempt >= WRITE_ATTEMPTS) throw error;
        remaining = await this.#findExisting(space, points);
      }
    }
  }

  async #findExisting(space: IndexSpace, points: PointVectors[]): Promise<PointVectors[]> {
    const ids = points.map(({ id }) => id);
    const found = await this.writeIfPresent(space, (client, name) =>
      client.retrieve(name, { ids, with_payload: false, with_vector: false }),
    );
    const existing = new Set(found?.map(({ id }) => String(id)));
    return points.filter(({ id }) => existing.has(id));
  }

  /** Removes the vectors of the space's model from the collection. */
  async dropVectors(space: IndexSpace): Promise<void> {
    if (!(await this.hasVectors(space))) return;
    const name = this.#collectionName(space);
    this.#vectorsOf.delete(name);
    await this.writeIfPresent(space, (client) => client.deleteVectorName(name, vectorName(space), { wait: true }));
  }

  /** Whether the collection exists and, if the space has a model, contains vectors of that model. */
  async hasVectors(space: IndexSpace): Promise<boolean> {
    const name = this.#collectionName(space);
    const hasIn = (names?: Set<string>) => Boolean(names && (space.dimension === null || names.has(vectorName(space))));
    if (hasIn(this.#vectorsOf.get(name))) return true;
    const names = await this.#readVectorNames(space);
    if (names) this.#vectorsOf.set(name, names);
    return hasIn(names);
  }

  async #ensureCollection(space: IndexSpace): Promise<void> {
    if (await this.hasVectors(space)) return;
    const name = this.#collectionName(space);
    const { dimension } = space;
    if (!this.#vectorsOf.has(name)) await this.#createCollection(space);
    else if (dimension !== null) {
      const config = { dense: denseVector(dimension) };
      await this.#ignoreExisting((client) => client.createVectorName(name, vectorName(space), config));
    }
    if (!(await this.hasVectors(space))) throw new IndexMissingError(space);
  }

  async #readVectorNames(space: IndexSpace): Promise<Set<string> | undefined> {
    const info = await this.read(space, (client, name) => client.getCollection(name));
    return info && new Set(Object.keys(info.config.params.vectors ?? {}));
  }

  async #createCollection(space: IndexSpace): Promise<void> {
    const { dimension } = space;
    const name = this.#collectionName(space);
    const vectors = dimension === null ? {} : { [vectorName(space)]: denseVector(dimension) };
    await this.#ignoreExisting((client) =>
      client.createCollection(name, { vectors, sparse_vectors: { [BM25_VECTOR]: { modifier: 'idf' } } }),
    );
    for (const field_name of ['content', 'attemptId']) {
      await this.#callWriter((client) =>
        client.createPayloadIndex(name, { field_name, field_schema: 'keyword', wait: true }),
      );
    }
  }

  /** Makes a call that creates a collection or vector, and ignores the error if it already exists. */
  async #ignoreExisting(create: (client: QdrantClient) => Promise<unknown>): Promise<void> {
    try {
      await this.#callWriter(create);
    } catch (error) {
      if (!isExistingError(error)) throw error;
    }
  }

  #callWriter<T>(call: (client: QdrantClient) => Promise<T>): Promise<T> {
    return withRetry(WRITE_ATTEMPTS, () => call(this.#clients.writer));
  }

  /**
   * Returns the result of `call`, or undefined if the collection does not exist. Throws `IndexMissingError` if the
   * collection existed before.
   */
  async #onCollection<T>(space: IndexSpace, call: (name: string) => Promise<T>): Promise<T | undefined> {
    const name = this.#collectionName(space);
    try {
      return await call(name);
    } catch (error) {
      if (httpStatus(error) !== 404) throw error;
      if (this.#vectorsOf.delete(name)) throw new IndexMissingError(space, { cause: error });
      return undefined;
    }
  }

  #collectionName({ project, namespace }: IndexSpace): string {
    return `${this.#prefix}_${project}_${namespace}`;
  }
}
