/** Free objects of callers in a bounded form, for records and events that only carry them along. */
const MOST_BYTES = 16_384;
const MOST_NAMES = 50;
const LONGEST_NAME = 100;

type Free = Record<string, unknown>;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The object itself where it is small; otherwise without its largest keys, which `_left_out` names. */
export const bounded = <F extends Free | null | undefined>(free: F): F => {
  if (!free) return free;
  let bytes = bytesOf(free);
  if (bytes <= MOST_BYTES) return free;
  const left = new Set<string>();
  const sizes = Object.entries(free).map(([key, value]) => ({ key, size: bytesOf([key, value]) }));
  for (const { key, size } of sizes.toSorted((one, other) => other.size - one.size)) {
    if (bytes <= MOST_BYTES) break;
    left.add(key);
    bytes -= size;
  }
  const kept = Object.entries(free).filter(([key]) => !left.has(key));
  const _left_out = [...left].slice(0, MOST_NAMES).map((key) => key.slice(0, LONGEST_NAME));
  return { ...Object.fromEntries(kept), _left_out } as unknown as F;
};

/** A message as its conversation keeps its last one: every event of the conversation carries it. */
export const lastMessageOf = <M extends { attributes?: Free | null; metadata?: Free | null }>(message: M): M => ({
  ...message,
  attributes: bounded(message.attributes),
  metadata: bounded(message.metadata),
});

/** As much of a conversation as holds free objects of any size. */
interface Carrying {
  attributes?: Free | null;
  lead?: { attributes?: Free | null } | null;
  snapshot: { lead?: { attributes?: Free | null } | null };
  notes?: unknown;
}

const withBounded = <L extends { attributes?: Free | null } | null | undefined>(lead: L): L =>
  lead && { ...lead, attributes: bounded(lead.attributes) };

/** A conversation as the events of its messages carry it: without notes, and with bounded attributes. */
export const carried = <R extends Carrying>(whole: R) => {
  const { notes: _, ...request } = whole;
  const { last_message, ...own } = request.attributes ?? {};
  return {
    ...request,
    attributes: { ...bounded(own), ...(last_message !== undefined && { last_message }) },
    lead: withBounded(request.lead),
    snapshot: { ...request.snapshot, lead: withBounded(request.snapshot.lead) },
  };
};
