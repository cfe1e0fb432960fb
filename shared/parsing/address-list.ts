/** Characters of all addresses of a list: 160 each for 50,000 of them. */
const MOST_CHARS = 8_000_000;

/** The addresses that sitemaps list, each once: at most so many, and together no longer than can be held and answered. */
export class AddressList {
  readonly #addresses = new Set<string>();
  readonly #most: number;
  #chars = 0;
  #refused = false;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#refused || this.#addresses.size >= this.#most;
  }

  get addresses(): string[] {
    return [...this.#addresses];
  }

  /** Puts the address on the list; false when there is no room for it. */
  add(address: string): boolean {
    if (this.#addresses.has(address)) return true;
    this.#refused = this.isFull || this.#chars + address.length > MOST_CHARS;
    if (this.#refused) return false;
    this.#chars += address.length;
    this.#addresses.add(address);
    return true;
  }
}
