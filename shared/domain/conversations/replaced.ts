/** What a change of a conversation puts in the place of what, for its history. */

type Fields = Record<string, unknown>;

/** They follow from others. */
const DERIVED = new Set(['participantsAgents', 'participantsBots']);

const differ = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

const isRecords = (value: unknown): value is object[] =>
  Array.isArray(value) && value.every((item) => item !== null && typeof item === 'object');

/** Of a list of records only those that the other one has not: lists of notes are long. */
const without = (value: unknown, other: unknown): unknown =>
  isRecords(value) && isRecords(other) ? value.filter((item) => other.every((one) => differ(one, item))) : value;

const pair = (was: unknown = null, is: unknown = null) => ({ was: without(was, is), is: without(is, was) });

const pairOf = (before: Fields, field: string, value: unknown) => {
  const [name = '', part, ...deeper] = field.split('.');
  if (deeper.length || DERIVED.has(name)) return [];
  const was = part ? (before[name] as Fields | undefined)?.[part] : before[name];
  return differ(was ?? null, value ?? null) ? [{ name, part, ...pair(was, value) }] : [];
};

/** The fields that a change sets or drops and that differ: as they were and as they are. `attributes.x` is told as `{attributes: {x}}`. */
export const replaced = (before: object, { set, drop = [] }: { set: object; drop?: readonly string[] }) => {
  const values: Fields = { ...Object.fromEntries(drop.map((field) => [field, null])), ...set };
  const [previous, current]: [Fields, Fields] = [{}, {}];
  for (const [field, value] of Object.entries(values)) {
    for (const { name, part, was, is } of pairOf(before as Fields, field, value)) {
      previous[name] = part ? { ...(previous[name] as Fields), [part]: was } : was;
      current[name] = part ? { ...(current[name] as Fields), [part]: is } : is;
    }
  }
  return { previous, current };
};
