/**
 * What this process has read of access and goes on believing, so that no request reads it again (design 8). It follows
 * the changes of access and forgets what they are about; when it has not heard of them for a while, it believes nothing.
 */
import { changesSince, here } from '#shared/domain/access/access.ts';
import { logger } from '#shared/logger.ts';

const TURN_MS = 250;
const HEARD_MS = 750;
const ANSWER_MS = 500;
/** A change that no verb told of holds after this time. */
const BELIEVED_MS = 600_000;

/** What was read, how long it holds, and the names of the changes that end it. */
export interface Fresh<V> {
  value: V;
  /** In milliseconds. */
  until?: number;
  names: string[];
}

let place = { ...here(), readTo: 0 };
/** Raised with each change, so that nothing is kept that was read before it. */
let heard = 0;
const everything: Believed<unknown>[] = [];

const isCurrent = (): boolean => Date.now() - place.readTo <= HEARD_MS;

/** Bounded; the oldest makes room. */
export class Believed<V> {
  readonly #entries = new Map<string, { value: V; until: number; names: string[] }>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
    everything.push(this);
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until <= Date.now()) this.#entries.delete(key);
    else if (isCurrent()) return entry.value;
    return undefined;
  }

  /** Read what is not believed yet, and believe it from now on unless something changed meanwhile; null is not kept. */
  async learn(key: string, read: () => Promise<Fresh<V> | null>): Promise<V | null> {
    const before = heard;
    const fresh = await read();
    if (fresh && before === heard) this.#keep(key, fresh);
    return fresh && fresh.value;
  }

  #keep(key: string, { value, until = Number.POSITIVE_INFINITY, names }: Fresh<V>): void {
    if (this.#entries.size >= this.#max) this.#entries.delete(this.#entries.keys().next().value as string);
    this.#entries.set(key, { value, until: Math.min(until, Date.now() + BELIEVED_MS), names });
  }

  forget(changed: Set<string>): void {
    for (const [key, { names }] of this.#entries)
      if (names.some((name) => changed.has(name))) this.#entries.delete(key);
  }
}

const hear = async (): Promise<void> => {
  const changed = new Set(await changesSince(place, ANSWER_MS));
  if (!changed.size) return;
  heard += 1;
  for (const believed of everything) believed.forget(changed);
};

/** Follow the changes of access until the function that is answered is called. */
export const followAccess = async (): Promise<() => void> => {
  place = here();
  let isHearing = false;
  const turn = async () => {
    if (isHearing) return;
    isHearing = true;
    try {
      await hear();
    } catch (error) {
      logger.debug({ err: error }, 'changes of access are not heard of');
    } finally {
      isHearing = false;
    }
  };
  const timer = setInterval(turn, TURN_MS);
  await turn();
  return () => clearInterval(timer);
};
