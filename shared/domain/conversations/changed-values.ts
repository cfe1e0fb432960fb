/** Computes which fields a conversation update changes, for the history of the conversation. */

type FieldValues = Record<string, unknown>;

/** Fields that the history omits, because they are derived from `participants`. */
const DERIVED_FIELDS = new Set(['participantsAgents', 'participantsBots']);

const isDifferent = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

const isRecordList = (value: unknown): value is object[] =>
  Array.isArray(value) && value.every((item) => item !== null && typeof item === 'object');

/**
 * For a list of records, such as the notes, returns only the records that the list `other` lacks, because lists can be
 * long. Returns any other value unchanged.
 */
const withoutCommon = (value: unknown, other: unknown): unknown => {
  if (!isRecordList(value) || !isRecordList(other)) return value;
  const others = new Set(other.map((record) => JSON.stringify(record)));
  return value.filter((record) => !others.has(JSON.stringify(record)));
};

const valuePair = (valueBefore: unknown = null, valueAfter: unknown = null) => ({
  valueBefore: withoutCommon(valueBefore, valueAfter),
  valueAfter: withoutCommon(valueAfter, valueBefore),
});

const fieldDiff = (before: FieldValues, field: string, value: unknown) => {
  const [name = '', part, ...deeper] = field.split('.');
  if (deeper.length || DERIVED_FIELDS.has(name)) return [];
  const valueBefore = part ? (before[name] as FieldValues | undefined)?.[part] : before[name];
  return isDifferent(valueBefore ?? null, value ?? null) ? [{ name, part, ...valuePair(valueBefore, value) }] : [];
};

/**
 * Returns the previous and current values of the fields that an update changes. A changed `attributes.x` is returned as
 * `{attributes: {x}}`.
 */
export const changedValues = (before: object, { set, drop = [] }: { set: object; drop?: readonly string[] }) => {
  const values: FieldValues = { ...Object.fromEntries(drop.map((field) => [field, null])), ...set };
  const [previous, current]: [FieldValues, FieldValues] = [{}, {}];
  for (const [field, value] of Object.entries(values)) {
    for (const { name, part, valueBefore, valueAfter } of fieldDiff(before as FieldValues, field, value)) {
      previous[name] = part ? { ...(previous[name] as FieldValues), [part]: valueBefore } : valueBefore;
      current[name] = part ? { ...(current[name] as FieldValues), [part]: valueAfter } : valueAfter;
    }
  }
  return { previous, current };
};
