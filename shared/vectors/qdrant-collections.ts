import type { QdrantClient } from '@qdrant/js-client-rest';
import { IndexLost, type Space } from './chunk-index.ts';
import { insist, statusOf } from './qdrant-call.ts';

/** The sparse vector of a chunk's words. */
export const WORDS = 'bm25';

/** The dense vector of that many numbers; a namespace whose model changed has several. */
export const vectorName = (dimension: number) => `text_${dimension}`;

const dense = (size: number) => ({ size, distance: 'Cosine' as const });

type Ask<T> = (client: QdrantClient, collection: string) => Promise<T>;

/**
 * One collection for each namespace of a project, not one for all with a filter: no query can forget the tenant, and
 * BM25's word counts are the namespace's own instead of telling of its neighbours. It costs the server some memory each:
 * thousands of namespaces are fine, hundreds of thousands are not.
 */
export class QdrantCollections {
  #client: QdrantClient;
  #prefix: string;
  #tries: number;
  /** Collection → dimensions it surely has. */
  #known = new Map<string, Set<number | null>>();

  constructor(client: QdrantClient, prefix: string, tries: number) {
    this.#client = client;
    this.#prefix = prefix;
    this.#tries = tries;
  }

  nameOf({ project, namespace }: Space): string {
    return `${this.#prefix}_${project}_${namespace}`;
  }

  /** Asks for what needs the collection, which is made when it is missing. */
  async write<T>(space: Space, ask: Ask<T>): Promise<T> {
    await this.#ensure(space);
    const answer = await this.change(space, ask);
    if (answer === undefined) throw new IndexLost(space);
    return answer;
  }

  /** Asks for what needs the collection; nothing where it is missing. */
  async change<T>(space: Space, ask: Ask<T>): Promise<T | undefined> {
    return this.found(space, () => insist(this.#tries, () => ask(this.#client, this.nameOf(space))));
  }

  /** The answer, nothing where there is no such collection, `IndexLost` where there was one. */
  async found<T>(space: Space, ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
      if (this.#known.delete(this.nameOf(space))) throw new IndexLost(space, { cause: error });
      return undefined;
    }
  }

  async drop(space: Space): Promise<void> {
    await this.#dropNamed(this.nameOf(space));
  }

  async dropProject(project: string): Promise<void> {
    const { collections } = await insist(this.#tries, () => this.#client.getCollections());
    const mine = collections.filter(({ name }) => name.startsWith(`${this.#prefix}_${project}_`));
    for (const { name } of mine) await this.#dropNamed(name);
  }

  async #dropNamed(name: string): Promise<void> {
    this.#known.delete(name);
    await insist(this.#tries, () => this.#client.deleteCollection(name));
  }

  /** Whether vectors of the space's dimension can be asked for. */
  async hasDimension(space: Space): Promise<boolean> {
    const name = this.nameOf(space);
    if (this.#known.get(name)?.has(space.dimension)) return true;
    const has = await this.#vectorsOf(space);
    if (has) this.#known.set(name, has);
    return has?.has(space.dimension) ?? false;
  }

  async #ensure(space: Space): Promise<void> {
    if (await this.hasDimension(space)) return;
    const name = this.nameOf(space);
    const { dimension } = space;
    if (!this.#known.has(name)) await this.#create(space);
    else if (dimension !== null) {
      const config = { dense: dense(dimension) };
      await this.#unlessThere(() => this.#client.createVectorName(name, vectorName(dimension), config));
    }
    if (!(await this.hasDimension(space))) throw new IndexLost(space);
  }

  async #vectorsOf(space: Space): Promise<Set<number | null> | undefined> {
    const info = await this.change(space, (client, name) => client.getCollection(name));
    const vectors = info && Object.values(info.config.params.vectors ?? {});
    return vectors && new Set([null, ...vectors.map((vector) => (vector as { size: number }).size)]);
  }

  async #create(space: Space): Promise<void> {
    const { dimension } = space;
    const name = this.nameOf(space);
    const vectors = dimension === null ? {} : { [vectorName(dimension)]: dense(dimension) };
    await this.#unlessThere(() =>
      this.#client.createCollection(name, { vectors, sparse_vectors: { [WORDS]: { modifier: 'idf' } } }),
    );
    for (const field_name of ['content', 'attempt']) {
      await insist(this.#tries, () =>
        this.#client.createPayloadIndex(name, { field_name, field_schema: 'keyword', wait: true }),
      );
    }
  }

  /** Another process may have been first: then it is there, which is all that is wanted. */
  async #unlessThere(make: () => Promise<unknown>): Promise<void> {
    try {
      await insist(this.#tries, make);
    } catch (error) {
      const status = statusOf(error);
      if (status !== 409 && status !== 400) throw error;
    }
  }
}
