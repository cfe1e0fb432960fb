/** Reading settings from an environment: one line for each that is invalid, and for each name that is misspelt. */
import { z } from 'zod';

const LONGEST_VALUE = 60;
const SECRET = /(SECRET|KEY|PASSWORD)$/;

type Environment = Record<string, string | undefined>;

interface Wrapper {
  innerType?: z.core.$ZodType;
  entries?: Record<string, string>;
}

/** What the setting must be: its rule, or the values of which it is one. */
const ruleOf = (schema: z.core.$ZodType | undefined): string => {
  if (!schema) return 'valid';
  const { rule } = z.globalRegistry.get(schema) ?? {};
  const { innerType, entries } = schema._zod.def as Wrapper;
  if (typeof rule === 'string') return rule;
  return entries ? `one of ${Object.values(entries).join(', ')}` : ruleOf(innerType);
};

/** A value that may hold a password is not shown. */
const found = (name: string, value: string): string => {
  const hidden = SECRET.test(name) || (/_UR[IL]$/.test(name) && value.includes('@'));
  if (hidden) return `a value of ${value.length} characters, which is not shown`;
  return JSON.stringify(value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value);
};

/** The settings in `env`, or one line for each that is invalid. An empty value counts as none. */
export const readSettings = <T extends z.ZodObject>(
  schema: T,
  env: Environment,
): { settings: z.output<T> } | { invalid: string[] } => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = schema.safeParse(given);
  if (read.success) return { settings: read.data };
  const names = new Set(read.error.issues.map(({ path: [name] }) => String(name)));
  return {
    invalid: [...names].map(
      (name) => `${name} must be ${ruleOf(schema.shape[name])}; found ${found(name, String(given[name]))}.`,
    ),
  };
};

/** How many letters must be put in, left out, replaced or swapped with their neighbour to make one name the other. */
const distance = (a: string, b: string): number => {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1)];
      rows[i]?.push(Math.min(...ways, swapped ? at(i - 2, j - 2) + 1 : Infinity));
    }
  }
  return at(a.length, b.length);
};

const letters = (name: string): string => name.split('').toSorted().join('');

/** Short names are near to many that are not ours (HOST and HOME): of those only swapped letters count. */
const mostEdits = ({ length }: string): number => (length < 5 ? 0 : length < 8 ? 1 : 2);

const isNear = (name: string, wanted: string): boolean =>
  name === wanted || letters(name) === letters(wanted) || distance(name, wanted) <= mostEdits(wanted);

/** One line for each name in `env` that is no setting of ours but nearly one. */
export const misspelt = (env: Environment, names: string[]): string[] =>
  Object.keys(env)
    .filter((name) => !names.includes(name) && !name.startsWith('npm_'))
    .flatMap((name) => {
      const meant = names.find((wanted) => isNear(name.toUpperCase().replaceAll('-', '_'), wanted));
      return meant ? [`${name} is no setting and has no effect; did you mean ${meant}?`] : [];
    });
