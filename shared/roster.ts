const SLOT = Symbol('slot');

interface Listed {
  [SLOT]?: number;
}

/**
 * What is open now: a `Set` for things that come and go thousands of times a second. A `Set` that is rehashed leaves
 * its former table pointing at the next one, so that one old table holds all later ones, with everything that was
 * open when each was left, until the whole heap is collected. Slots that are used again leave nothing behind.
 */
export class Roster<T extends object> {
  readonly #slots: (T | undefined)[] = [];
  readonly #free: number[] = [];

  add(item: T & Listed): this {
    if (this.has(item)) return this;
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = item;
    item[SLOT] = slot;
    return this;
  }

  has(item: T & Listed): boolean {
    return item[SLOT] !== undefined && this.#slots[item[SLOT]] === item;
  }

  delete(item: T & Listed): boolean {
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
