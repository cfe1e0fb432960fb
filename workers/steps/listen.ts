/** A listener's way through the changes log. */
import { config } from '#shared/config.ts';
import { aside, hold, holds, type KeptAside, keepAside } from '#shared/domain/events/kept-aside.ts';
import { advance, cursorOf, type InLine, next } from '#shared/domain/events/listeners.ts';
import { stopping } from '../stopping.ts';
import { hear, type Listening } from './hear.ts';

const SLICE_MS = config.SLICE_SECONDS * 1000;

/** What came of a slice of time. */
interface Slice {
  /** More events wait. */
  more: boolean;
  /** Events were kept aside. */
  kept: boolean;
}

const hearOrKeep = async (listening: Listening, ref: InLine): Promise<KeptAside | null> => {
  try {
    await hear(listening, ref);
    return null;
  } catch (error) {
    return keepAside(listening, ref, { tries: 0, since: new Date(), error });
  }
};

/** Hear a line's new events one after the other, behind those of it that are aside; how many joined these. */
const hearLine = async (listening: Listening, line: InLine[], before: KeptAside[]): Promise<number> => {
  const kept = [...before];
  for (const ref of line) {
    if (kept.some(({ id }) => id === ref.id)) continue;
    const ahead = kept.find((each) => each.position < ref.position && holds(each));
    const added = ahead ? await hold(listening, ref, ahead.since) : await hearOrKeep(listening, ref);
    if (added) kept.push(added);
  }
  return kept.length - before.length;
};

/** Hear the events of a page, its lines side by side; whether any was kept aside. */
const hearPage = async (listening: Listening, page: InLine[]): Promise<boolean> => {
  const lines = Map.groupBy(page, ({ line }) => line);
  const waiting = Map.groupBy(await aside(listening, [...lines.keys()]), ({ line }) => line);
  const kept = await Promise.all([...lines].map(([name, line]) => hearLine(listening, line, waiting.get(name) ?? [])));
  return kept.some(Boolean);
};

/**
 * Hear what is new, page by page, for one slice of time. The cursor moves when a whole page was heard or kept aside: a killed worker's
 * page is heard again by the next one, which makes the same records. A second pump beside this one so does no harm either.
 */
export const listen = async (listening: Listening): Promise<Slice> => {
  const end = performance.now() + SLICE_MS;
  let kept = false;
  while (performance.now() < end && !stopping.aborted) {
    const from = await cursorOf(listening.name);
    const page = await next(listening, from);
    const last = page.at(-1);
    if (!last) return { more: false, kept };
    kept = (await hearPage(listening, page)) || kept;
    await advance(listening.name, { from, to: last.position });
  }
  return { more: true, kept };
};
