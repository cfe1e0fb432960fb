import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from '@lancedb/lancedb';
import { ulid } from 'ulid';
import { logger } from '#shared/logger.ts';
import { checkAttempts, checkProject, checkQuestion, checkRows, checkSpace } from './checks.ts';
import type { ChunkIndex, Hits, Question, Row, Space } from './chunk-index.ts';
import { coalesce } from './coalesce.ts';
import { lanesIn } from './lane.ts';
import { arrowOf, libraries, type Part, partOf, partOfFolder } from './lance-part.ts';
import { Pace } from './lance-pace.ts';
import { searchText, searchVector } from './lance-search.ts';
import { LanceTables, namesIn } from './lance-tables.ts';
import { optimise, removeRepeats } from './lance-upkeep.ts';

const ROWS_A_COMMIT = 4_000;
const ATTEMPTS_A_DELETE = 500;

/**
 * Chunks in LanceDB, embedded, on one host. Append-only but for one lane a project: concurrent `mergeInsert` would leave
 * repeats without an error, so repeats are left out when reading and removed by `maintain`.
 */
class LanceIndex implements ChunkIndex {
  readonly name = 'lancedb';
  readonly type: string;
  #tables: LanceTables;
  #indexedFrom: number;
  #pace = new Pace();
  #tidying = new Map<string, Promise<void>>();
  #append = coalesce<Part, Row>(ROWS_A_COMMIT, (part, rows) => this.#appendNow(part, rows));
  #remove = coalesce<Part, string>(ATTEMPTS_A_DELETE, (part, attempts) => this.#removeNow(part, attempts));

  constructor(tables: LanceTables, indexedFrom: number) {
    this.type = `LanceDB in ${tables.root}`;
    this.#indexedFrom = indexedFrom;
    this.#tables = tables;
  }

  async add(space: Space, rows: Row[]): Promise<void> {
    checkSpace(space);
    checkRows(space, rows);
    const embedded = rows.filter((row) => row.vector);
    const writes = rows.length > 0 ? [this.#append(this.#part(space, null), rows)] : [];
    if (embedded.length > 0) writes.push(this.#append(this.#part(space, space.dimension), embedded));
    // All of them end before a failure is told: a caller that rebuilds must not meet the rest of this write.
    for (const write of await Promise.allSettled(writes)) if (write.status === 'rejected') throw write.reason;
  }

  async removeAttempts(space: Space, attempts: string[]): Promise<void> {
    checkSpace(space);
    checkAttempts(attempts);
    if (attempts.length === 0) return;
    const parts = await this.#partsOf(space.project, space.namespace);
    await Promise.all(parts.map((part) => this.#remove(part, attempts)));
  }

  async drop(space: Space): Promise<void> {
    checkSpace(space);
    await this.#drop(space.project, space.namespace);
  }

  async dropProject(project: string): Promise<void> {
    checkProject(project);
    await this.#drop(project);
    await rm(join(this.#tables.root, project), { recursive: true, force: true, maxRetries: 3 });
  }

  async search(space: Space, question: Question): Promise<Hits> {
    checkSpace(space);
    checkQuestion(space, question);
    const { text, vector, contents } = question;
    if (contents?.length === 0) return { text: [], vector: [] };
    const [byText, byVector] = await Promise.all([
      text && this.#tables.use(this.#part(space, null), (table) => searchText(table, text, question)),
      vector &&
        space.dimension !== null &&
        this.#tables.use(this.#part(space, space.dimension), (table) => searchVector(table, vector, question)),
    ]);
    return { text: byText || [], vector: byVector || [] };
  }

  async *ids(space: Space): AsyncIterable<string> {
    checkSpace(space);
    const seen = new Set<string>();
    for (const part of await this.#partsOf(space.project, space.namespace)) {
      for (const id of (await this.#tables.use(part, allIds)) ?? []) if (!seen.has(id) && seen.add(id)) yield id;
    }
  }

  async maintain(space: Space): Promise<void> {
    checkSpace(space);
    for (const part of await this.#partsOf(space.project, space.namespace)) {
      await this.#tables.useAlone(part, async (table) => {
        await removeRepeats(table);
        await optimise(table, part, this.#indexedFrom);
      });
    }
  }

  /** A file beside the tables: whoever deletes the folder deletes it too. */
  async identity(): Promise<string> {
    const { root } = this.#tables;
    if (!(await namesIn(root)).includes('identity')) await this.#found();
    return `lancedb-${await readFile(join(root, 'identity'), 'utf8')}`;
  }

  /** Writes into the store's folder and loads the library. */
  async ready(): Promise<void> {
    const file = join(this.#tables.root, `.ready-${process.pid}`);
    await mkdir(this.#tables.root, { recursive: true });
    await writeFile(file, '');
    await rm(file, { force: true });
    await libraries();
  }

  async close(): Promise<void> {
    await Promise.all(this.#tidying.values());
    this.#tables.close();
  }

  /** Makes the store a new one. Tables without an identity are what a slow deletion has not come to: gone first, it meets no new ones. */
  async #found(): Promise<void> {
    const { root, inLane } = this.#tables;
    await inLane(root, async () => {
      if ((await namesIn(root)).includes('identity')) return;
      await this.#tables.clear();
      const draft = join(root, `.identity-${ulid()}`);
      await writeFile(draft, ulid());
      await rename(draft, join(root, 'identity'));
    });
  }

  #part(space: Space, dimension: number | null): Part {
    return partOf(this.#tables.root, space, dimension);
  }

  /** What is open is closed even where its folder is gone, or it would be taken for lost once more. */
  async #drop(project: string, namespace = ''): Promise<void> {
    this.#tables.close(join(this.#tables.root, project, namespace));
    await this.#tables.destroy(await this.#partsOf(project, namespace));
  }

  async #partsOf(project: string, namespace = ''): Promise<Part[]> {
    const { root } = this.#tables;
    const parts = (await namesIn(join(root, project))).map((name) => partOfFolder(root, project, name));
    return parts.filter((part) => part !== undefined && (!namespace || part.namespace === namespace)) as Part[];
  }

  async #appendNow(part: Part, rows: Row[]): Promise<void> {
    const { arrow } = await libraries();
    await this.#tables.use(part, (table) => table.add(arrowOf(arrow, part, rows)), true);
    this.#wrote(part, rows.length);
  }

  async #removeNow(part: Part, attempts: string[]): Promise<void> {
    const where = `attempt IN (${attempts.map((attempt) => `'${attempt}'`).join(',')})`;
    await this.#tables.useAlone(part, (table) => table.delete(where));
    this.#wrote(part, 0);
  }

  /** Each commit adds a file to read and rows to index; now and then they are joined, beside the work that goes on. */
  #wrote(part: Part, rows: number): void {
    if (!this.#pace.wrote(part, rows) || this.#tidying.has(part.path)) return;
    this.#tidying.set(part.path, this.#tidy(part));
  }

  async #tidy(part: Part): Promise<void> {
    try {
      const rows = await this.#tables.useAlone(part, async (table) => {
        await optimise(table, part, this.#indexedFrom);
        return table.countRows();
      });
      this.#pace.tidied(part, rows ?? 0);
    } catch (error) {
      this.#pace.tidied(part, 0);
      logger.warn({ err: error, table: part.path }, 'a table of chunks could not be tidied; it is tried again later');
    } finally {
      this.#tidying.delete(part.path);
    }
  }
}

async function allIds(table: Table): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of table.query().select(['id'])) for (const { id } of batch) ids.push(id);
  return ids;
}

/** Bounds that suit the machine and the data. */
export interface LanceOptions {
  /** A thousand open tables cost 63 MB. */
  openTables?: number;
  /** Rows from which vectors get an index; below, the exhaustive search is as quick and misses nothing. */
  indexedFrom?: number;
}

/** The index in the folder `root` of this host; `locks` is a folder beside it, as the store may be deleted under us. */
export function lanceIndex(root: string, locks: string, options: LanceOptions = {}): ChunkIndex {
  const { openTables = 100, indexedFrom = 20_000 } = options;
  return new LanceIndex(new LanceTables(root, lanesIn(locks), openTables), indexedFrom);
}
