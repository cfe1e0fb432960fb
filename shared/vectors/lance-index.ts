/** The chunk index in LanceDB, in a folder on this host. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { logger } from '../logger.ts';
import { batchWrites } from './batch-writes.ts';
import {
  type ChunkHits,
  type ChunkIndex,
  type IndexEntry,
  type IndexQuery,
  type IndexRow,
  type IndexSpace,
  LAYOUT_VERSION,
  toWordMatches,
  type WordMatches,
  type WordQuery,
} from './chunk-index.ts';
import { fileLocks } from './file-lock.ts';
import { listFolder, listTables } from './lance-folders.ts';
import { CompactionSchedule, optimizeTable, removeRepeatedRows } from './lance-maintenance.ts';
import type { LanceOptions } from './lance-options.ts';
import { countWord, readEntries, searchText, searchVector } from './lance-search.ts';
import {
  assertInstalled,
  loadLibraries,
  locateTextTable,
  locateVectorTable,
  type TableLocation,
  toArrowTable,
} from './lance-table-location.ts';
import { LanceTables } from './lance-tables.ts';
import { reportUnavailable } from './report-unavailable.ts';
import { checkAttemptIds, checkProject, checkQuery, checkRows, checkSpace } from './validate.ts';

const MAX_ROWS_PER_COMMIT = 4_000;
const MAX_ATTEMPTS_PER_DELETE = 500;

/**
 * Stores chunks in LanceDB, which runs in this process. Rows are only appended, because concurrent `mergeInsert` calls
 * would create duplicates without an error. A file lock per table serializes all other changes. Searches skip duplicate
 * rows, and `maintain` removes them.
 */
class LanceIndex implements ChunkIndex {
  readonly name = 'lancedb';
  readonly type: string;
  #tables: LanceTables;
  #minRowsForIndex: number;
  #compaction = new CompactionSchedule();
  #compacting = new Map<string, Promise<void>>();
  #append = batchWrites<TableLocation, IndexRow>(MAX_ROWS_PER_COMMIT, (location, rows) =>
    this.#appendNow(location, rows),
  );
  #remove = batchWrites<TableLocation, string>(MAX_ATTEMPTS_PER_DELETE, (location, attemptIds) =>
    this.#removeNow(location, attemptIds),
  );

  constructor(tables: LanceTables, minRowsForIndex: number) {
    this.type = `LanceDB in ${tables.root}`;
    this.#minRowsForIndex = minRowsForIndex;
    this.#tables = tables;
  }

  async add(space: IndexSpace, rows: IndexRow[]): Promise<void> {
    checkSpace(space);
    checkRows(space, rows);
    const writes = rows.length > 0 ? [this.#append(locateTextTable(this.#tables.root, space), rows)] : [];
    writes.push(this.#appendVectors(space, rows));
    // Wait for both writes before throwing: if the caller then rebuilds the index, the rebuild must not overlap with
    // the rest of this write.
    for (const write of await Promise.allSettled(writes)) if (write.status === 'rejected') throw write.reason;
  }

  async addVectors(space: IndexSpace, rows: IndexRow[]): Promise<void> {
    checkSpace(space);
    checkRows(space, rows);
    await this.#appendVectors(space, rows);
  }

  async dropVectors(space: IndexSpace): Promise<void> {
    checkSpace(space);
    if (space.dimension === null) return;
    const location = locateVectorTable(this.#tables.root, space);
    this.#tables.close(location.path);
    await this.#tables.destroy([location]);
  }

  async removeAttempts(space: IndexSpace, attemptIds: string[]): Promise<void> {
    checkSpace(space);
    checkAttemptIds(attemptIds);
    if (attemptIds.length === 0) return;
    const locations = await listTables(this.#tables.root, space.project, space.namespace);
    await Promise.all(locations.map((location) => this.#remove(location, attemptIds)));
  }

  async drop(space: IndexSpace): Promise<void> {
    checkSpace(space);
    await this.#drop(space.project, space.namespace);
  }

  async dropProject(project: string): Promise<void> {
    checkProject(project);
    await this.#drop(project);
    await rm(join(this.#tables.root, project), { recursive: true, force: true, maxRetries: 3 });
  }

  async search(space: IndexSpace, question: IndexQuery): Promise<ChunkHits> {
    checkSpace(space);
    checkQuery(space, question);
    const { text, vector, contents } = question;
    if (contents?.length === 0) return { text: [], vector: [] };
    const [byText, byVector] = await Promise.all([
      text &&
        this.#tables.withTable(locateTextTable(this.#tables.root, space), (table, version) =>
          searchText({ table, version }, { ...question, text }),
        ),
      vector &&
        space.dimension !== null &&
        this.#tables.withTable(locateVectorTable(this.#tables.root, space), (table) =>
          searchVector(table, vector, question),
        ),
    ]);
    return { text: byText || [], vector: byVector || [] };
  }

  async countMatches(space: IndexSpace, word: WordQuery): Promise<WordMatches> {
    checkSpace(space);
    checkQuery(space, word);
    const found =
      word.text &&
      word.contents?.length !== 0 &&
      (await this.#tables.withTable(locateTextTable(this.#tables.root, space), (table, version) =>
        countWord({ table, version }, word),
      ));
    return found || toWordMatches([]);
  }

  async *entries(space: IndexSpace): AsyncIterable<IndexEntry> {
    checkSpace(space);
    const seen = new Set<string>();
    for (const location of await listTables(this.#tables.root, space.project, space.namespace)) {
      for (const entry of (await this.#tables.withTable(location, readEntries)) ?? [])
        if (!seen.has(entry.id) && seen.add(entry.id)) yield entry;
    }
  }

  async maintain(space: IndexSpace): Promise<void> {
    checkSpace(space);
    for (const location of await listTables(this.#tables.root, space.project, space.namespace)) {
      await this.#tables.withTableLocked(location, async (table) => {
        await removeRepeatedRows(table);
        await optimizeTable(table, location, this.#minRowsForIndex);
      });
    }
  }

  /** Reads the identity of the store from a file next to the tables, so that deleting the folder deletes both. */
  async identity(): Promise<string> {
    const { root } = this.#tables;
    if (!(await listFolder(root)).includes('identity')) await this.#createStore();
    return `lancedb-${LAYOUT_VERSION}-${await readFile(join(root, 'identity'), 'utf8')}`;
  }

  /** Checks that the folder is writable and the library is installed. */
  async ready(): Promise<void> {
    const file = join(this.#tables.root, `.ready-${process.pid}`);
    await mkdir(this.#tables.root, { recursive: true });
    await writeFile(file, '');
    await rm(file, { force: true });
    assertInstalled();
  }

  async close(): Promise<void> {
    await Promise.all(this.#compacting.values());
    this.#tables.close();
  }

  /**
   * Creates the store. Tables without an identity file are left over from an unfinished deletion of the folder. If
   * another process is still deleting the folder, it could delete new tables with the same names. The old tables are
   * therefore moved away before the new store is created.
   */
  async #createStore(): Promise<void> {
    const { root, withLock } = this.#tables;
    await withLock(root, async () => {
      if ((await listFolder(root)).includes('identity')) return;
      await this.#tables.clear();
      const draft = join(root, `.identity-${ulid()}`);
      await writeFile(draft, ulid());
      await rename(draft, join(root, 'identity'));
    });
  }

  async #appendVectors(space: IndexSpace, rows: IndexRow[]): Promise<void> {
    const embedded = rows.filter((row) => row.vector);
    if (embedded.length > 0) await this.#append(locateVectorTable(this.#tables.root, space), embedded);
  }

  /** Drops tables. Also closes open ones whose folder is gone, because the next call would report them as lost. */
  async #drop(project: string, namespace = ''): Promise<void> {
    this.#tables.close(join(this.#tables.root, project, namespace));
    await this.#tables.destroy(await listTables(this.#tables.root, project, namespace));
  }

  async #appendNow(location: TableLocation, rows: IndexRow[]): Promise<void> {
    const { arrow } = await loadLibraries();
    await this.#tables.withTable(location, (table) => table.add(toArrowTable(arrow, location, rows)), true);
    this.#compactWhenDue(location, rows.length);
  }

  async #removeNow(location: TableLocation, attemptIds: string[]): Promise<void> {
    // Without backticks, LanceDB lowercases column names.
    const filter = `\`attemptId\` IN (${attemptIds.map((attemptId) => `'${attemptId}'`).join(',')})`;
    await this.#tables.withTableLocked(location, (table) => table.delete(filter));
    this.#compactWhenDue(location, 0);
  }

  /**
   * Compacts a table in the background if due: files of commits and unindexed rows slow searches down.
   */
  #compactWhenDue(location: TableLocation, rows: number): void {
    if (!this.#compaction.countWrite(location, rows) || this.#compacting.has(location.path)) return;
    this.#compacting.set(location.path, this.#compact(location));
  }

  async #compact(location: TableLocation): Promise<void> {
    try {
      const rows = await this.#tables.withTableLocked(location, async (table) => {
        await optimizeTable(table, location, this.#minRowsForIndex);
        return table.countRows();
      });
      this.#compaction.markCompacted(location, rows ?? 0);
    } catch (error) {
      this.#compaction.markCompacted(location, 0);
      logger.warn({ err: error, table: location.path }, 'compacting a chunk table failed; it will be retried later');
    } finally {
      this.#compacting.delete(location.path);
    }
  }
}

/**
 * Returns the index in the folder `root`. `lockFolder` must be outside `root`, which may be deleted while the process
 * runs.
 */
export function lanceIndex(root: string, lockFolder: string, options: LanceOptions = {}): ChunkIndex {
  const { maxOpenTables = 100, minRowsForIndex = 20_000, cacheMib = 256 } = options;
  const tables = new LanceTables(root, fileLocks(lockFolder), { maxOpen: maxOpenTables, cacheMib });
  return reportUnavailable(new LanceIndex(tables, minRowsForIndex));
}
