/** A bounded list of URLs. */

/** Maximum number of characters of all URLs together: 160 for each of 50,000 URLs. */
const MAX_LIST_CHARACTERS = 8_000_000;

/** A list of distinct sitemap URLs, limited in number and in total length. */
export class UrlList {
  readonly #urls = new Set<string>();
  readonly #maxUrls: number;
  #chars = 0;
  #hasRefused = false;

  constructor(maxUrls: number) {
    this.#maxUrls = maxUrls;
  }

  get isFull(): boolean {
    return this.#hasRefused || this.#urls.size >= this.#maxUrls;
  }

  /** Whether a URL did not fit into the list. */
  get isTruncated(): boolean {
    return this.#hasRefused;
  }

  get urls(): string[] {
    return [...this.#urls];
  }

  /** Adds a URL; returns false if the list is full. */
  add(url: string): boolean {
    if (this.#urls.has(url)) return true;
    this.#hasRefused = this.isFull || this.#chars + url.length > MAX_LIST_CHARACTERS;
    if (this.#hasRefused) return false;
    this.#chars += url.length;
    this.#urls.add(url);
    return true;
  }
}
