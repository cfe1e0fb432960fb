import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Session, Table } from '@lancedb/lancedb';
import { ulid } from 'ulid';
import { IndexLost } from './chunk-index.ts';
import type { InLane } from './lane.ts';
import { libraries, type Part, schemaOf } from './lance-part.ts';
import { ensureTextIndex, probe } from './lance-upkeep.ts';

const ATTEMPTS = 4;
const MIB = 1n << 20n;

interface Open {
  table: Table;
  identity: string;
  users: number;
  forgotten: boolean;
}

/** What a table that is not there means: nothing yet, a reason to make it, or a loss, as it was there before. */
type Missing = 'absent' | 'create' | 'lost';

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Tells a folder from one made later at the same path; nothing where there is none. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { ino, birthtimeNs } = await stat(path, { bigint: true });
    return `${ino}:${birthtimeNs}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Renames what may be gone by then. */
async function moveAside(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** The names in a folder; none where it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * The open tables, least recently used closed first. A table that vanished or was replaced under us is noticed before each
 * use: LanceDB itself would acknowledge a write into a deleted folder.
 */
export class LanceTables {
  readonly root: string;
  readonly inLane: InLane;
  #open = new Map<string, Promise<Open>>();
  #most: number;
  #session: Session | undefined;

  constructor(root: string, inLane: InLane, most: number) {
    this.root = root;
    this.inLane = inLane;
    this.#most = most;
  }

  /** Runs work on the newest version, again after a conflict; nothing where the table is missing and not to be `created`. */
  async use<T>(part: Part, work: (table: Table) => Promise<T>, created = false): Promise<T | undefined> {
    const missing = this.#open.has(part.path) ? 'lost' : created ? 'create' : 'absent';
    for (let attempt = 1; ; attempt += 1) {
      try {
        const open = await this.#get(part, missing);
        return open && (await this.#newest(part.path, open, work));
      } catch (error) {
        this.#forget(part.path);
        if (error instanceof IndexLost) throw error;
        if (attempt >= ATTEMPTS) throw await this.#verdict(part, error);
        await sleep(10 * 2 ** attempt * Math.random());
      }
    }
  }

  /** Runs work that must not meet other such work on the table, in this process or another. */
  async useAlone<T>(part: Part, work: (table: Table) => Promise<T>): Promise<T | undefined> {
    return this.use(part, (table) =>
      this.inLane(part.path, async () => {
        await table.checkoutLatest();
        return work(table);
      }),
    );
  }

  /** Removes tables; renamed first, so that no reader sees half of one. */
  async destroy(parts: Part[]): Promise<void> {
    const bin = await this.#bin();
    for (const part of parts) await this.inLane(part.path, () => this.#remove(part, bin));
    await rm(bin, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Removes everything in the root, which is made where it is missing; renamed first, as above. */
  async clear(): Promise<void> {
    this.close();
    const names = (await namesIn(this.root)).filter((name) => !name.startsWith('.'));
    const bin = await this.#bin();
    for (const name of names) await moveAside(join(this.root, name), join(bin, name));
    await rm(bin, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Closes tables whose path starts so; by default all. */
  close(start = ''): void {
    for (const path of [...this.#open.keys()]) if (path.startsWith(start)) this.#forget(path);
  }

  async #newest<T>(path: string, open: Open, work: (table: Table) => Promise<T>): Promise<T> {
    open.users += 1;
    try {
      await open.table.checkoutLatest();
      return await work(open.table);
    } finally {
      open.users -= 1;
      if (open.forgotten && open.users === 0) open.table.close();
      else this.#evict(path);
    }
  }

  async #get(part: Part, missing: Missing): Promise<Open | undefined> {
    const known = this.#open.get(part.path);
    const [identity, open] = await Promise.all([identityOf(part.path), known]);
    if (identity === undefined && (open || missing === 'lost')) throw new IndexLost(part);
    if (identity === undefined && missing === 'absent') return undefined;
    if (open && open.identity !== identity && this.#open.get(part.path) === known) this.#forget(part.path);
    const opening = this.#open.get(part.path) ?? this.#opening(part, missing);
    this.#open.delete(part.path);
    this.#open.set(part.path, opening);
    return opening;
  }

  async #opening(part: Part, missing: Missing): Promise<Open> {
    if (missing === 'create') await this.#create(part);
    const identity = await identityOf(part.path);
    if (identity === undefined) throw new IndexLost(part);
    const connection = await this.#connect(part.folder);
    const table = await connection.openTable(part.table);
    if (part.dimension === null) await ensureTextIndex(table, (work) => this.inLane(part.path, work));
    return { table, identity, users: 0, forgotten: false };
  }

  async #create(part: Part): Promise<void> {
    if (await this.#isWhole(part)) return;
    const { arrow } = await libraries();
    await this.inLane(part.path, async () => {
      if (await this.#isWhole(part)) return;
      await rm(part.path, { recursive: true, force: true });
      const connection = await this.#connect(part.folder);
      (await connection.createEmptyTable(part.table, schemaOf(arrow, part))).close();
    });
  }

  /** A creation that was killed leaves a folder without a version; nothing was acknowledged in it. */
  async #isWhole(part: Part): Promise<boolean> {
    return (await namesIn(join(part.path, '_versions'))).length > 0;
  }

  async #connect(folder: string) {
    const { lance } = await libraries();
    this.#session ??= new lance.Session(64n * MIB, 16n * MIB);
    return lance.connect(folder, { session: this.#session });
  }

  /** The error to throw: the table's loss where a fresh handle cannot read it either, otherwise what happened. */
  async #verdict(part: Part, error: unknown): Promise<unknown> {
    const bin = await this.#bin();
    // Alone, or a table that another process is just making would be taken for broken.
    const verdict = await this.inLane(part.path, async () => {
      try {
        await this.#probe(part);
        return error;
      } catch (cause) {
        await this.#remove(part, bin);
        return new IndexLost(part, { cause });
      }
    });
    await rm(bin, { recursive: true, force: true, maxRetries: 3 });
    return verdict;
  }

  async #probe(part: Part): Promise<void> {
    const connection = await this.#connect(part.folder);
    const table = await connection.openTable(part.table);
    try {
      await probe(table, part);
    } finally {
      table.close();
    }
  }

  async #bin(): Promise<string> {
    const bin = join(this.root, `.dropped-${ulid()}`);
    await mkdir(bin, { recursive: true });
    return bin;
  }

  async #remove(part: Part, bin: string): Promise<void> {
    this.#forget(part.path);
    if (await identityOf(part.path)) await rename(part.path, join(bin, part.table));
  }

  #evict(path: string): void {
    const oldest = this.#open.keys().next().value;
    if (this.#open.size > this.#most && oldest !== undefined && oldest !== path) this.#forget(oldest);
  }

  #forget(path: string): void {
    const opening = this.#open.get(path);
    this.#open.delete(path);
    opening?.then(
      (open) => {
        open.forgotten = true;
        if (open.users === 0) open.table.close();
      },
      () => {}, // never opened: its callers have the error
    );
  }
}
