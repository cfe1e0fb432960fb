/** Limits the size of free-form objects (attributes, metadata) in copies: in `last_message` and in events. */
const MAX_OBJECT_BYTES = 16_384;
const MAX_LISTED_KEYS = 50;
const MAX_KEY_LENGTH = 100;

type FreeObject = Record<string, unknown>;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns an object without its largest keys if it is too large; `_left_out` then lists these keys. */
export const truncateObject = <F extends FreeObject | null | undefined>(free: F): F => {
  if (!free) return free;
  let bytes = bytesOf(free);
  if (bytes <= MAX_OBJECT_BYTES) return free;
  const omitted = new Set<string>();
  const sizes = Object.entries(free).map(([key, value]) => ({ key, size: bytesOf([key, value]) }));
  for (const { key, size } of sizes.toSorted((one, other) => other.size - one.size)) {
    if (bytes <= MAX_OBJECT_BYTES) break;
    omitted.add(key);
    bytes -= size;
  }
  const remaining = Object.entries(free).filter(([key]) => !omitted.has(key));
  const _left_out = [...omitted].slice(0, MAX_LISTED_KEYS).map((key) => key.slice(0, MAX_KEY_LENGTH));
  return { ...Object.fromEntries(remaining), _left_out } as unknown as F;
};

/** Returns a message as stored in `last_message`: truncated, because every event of the conversation carries it. */
export const lastMessageOf = <M extends { attributes?: FreeObject | null; metadata?: FreeObject | null }>(
  message: M,
): M => ({
  ...message,
  attributes: truncateObject(message.attributes),
  metadata: truncateObject(message.metadata),
});

/** The fields of a conversation that contain free-form objects. */
interface WithFreeObjects {
  attributes?: FreeObject | null;
  lead?: { attributes?: FreeObject | null } | null;
  snapshot: { lead?: { attributes?: FreeObject | null } | null };
  notes?: unknown;
}

const withTruncatedAttributes = <L extends { attributes?: FreeObject | null } | null | undefined>(lead: L): L =>
  lead && { ...lead, attributes: truncateObject(lead.attributes) };

/** Returns a conversation as the events of its messages carry it: without notes, with truncated attributes. */
export const conversationForEvents = <R extends WithFreeObjects>(whole: R) => {
  const { notes: _, ...request } = whole;
  const { last_message, ...own } = request.attributes ?? {};
  return {
    ...request,
    attributes: { ...truncateObject(own), ...(last_message !== undefined && { last_message }) },
    lead: withTruncatedAttributes(request.lead),
    snapshot: { ...request.snapshot, lead: withTruncatedAttributes(request.snapshot.lead) },
  };
};
