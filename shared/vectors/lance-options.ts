/** Limits of the LanceDB index that depend on the machine and the data. */
export interface LanceOptions {
  /** Maximum number of tables to keep open; a thousand take 63 MB of memory. */
  maxOpenTables?: number;
  /** Minimum number of rows for a vector index. With fewer rows, an exhaustive search is as fast and misses nothing. */
  minRowsForIndex?: number;
  /**
   * Memory for indexes, in MiB. The index of 100,000 chunks takes about 100 MiB. If an index does not fit into this
   * memory, searches are slow.
   */
  cacheMib?: number;
}
