/** Copies of objects without some of their fields. */

/** An object without its null fields. */
type WithoutNullish<T> = { [K in keyof T]?: Exclude<T[K], null> };

const filterEntries = (fields: object, isKept: (name: string, value: unknown) => boolean): object =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => isKept(name, value)));

/** Returns the fields that are neither null nor undefined. */
export const omitNullish = <T extends object>(fields: T) =>
  filterEntries(fields, (_, value) => value != null) as WithoutNullish<T>;

/** Returns the fields whose value is not undefined; null is kept. */
export const omitUndefined = <T extends object>(fields: T) =>
  filterEntries(fields, (_, value) => value !== undefined) as Partial<T>;

/** Returns the fields whose names are not among `names`. */
export const omitFields = <T extends object, K extends keyof T>(fields: T, names: readonly K[]) =>
  filterEntries(fields, (name) => !names.includes(name as K)) as Omit<T, K>;
