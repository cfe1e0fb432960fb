const SLOT = Symbol('slot');

interface SlotHolder {
  [SLOT]?: number;
}

/**
 * A `Set` for objects that are added and deleted thousands of times per second. When V8 rehashes a native `Set`, the
 * old table points to the new one. An old table that survives therefore retains all later tables, and every object in
 * them, until the next full garbage collection. This set reuses its slots and retains nothing.
 */
export class SlotSet<T extends object> {
  readonly #slots: (T | undefined)[] = [];
  readonly #free: number[] = [];

  add(item: T & SlotHolder): this {
    if (this.has(item)) return this;
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = item;
    item[SLOT] = slot;
    return this;
  }

  has(item: T & SlotHolder): boolean {
    return item[SLOT] !== undefined && this.#slots[item[SLOT]] === item;
  }

  delete(item: T & SlotHolder): boolean {
    if (!this.has(item)) return false;
    const slot = item[SLOT] as number;
    this.#slots[slot] = undefined;
    this.#free.push(slot);
    return true;
  }

  clear(): void {
    for (const item of this) this.delete(item);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const item of this.#slots) if (item) yield item;
  }
}
