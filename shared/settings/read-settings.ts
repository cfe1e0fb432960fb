/** Reads settings from an environment, and reports invalid values and misspelled names. */
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';

const MAX_SHOWN_CHARACTERS = 60;
const SECRET_NAME = /(SECRET|KEY|PASSWORD)$/;

/** The environment of a process. */
export type Environment = Record<string, string | undefined>;

interface SchemaDefinition {
  innerType?: z.core.$ZodType;
  entries?: Record<string, string>;
}

/** The rule of a setting in words, or the list of its allowed values. */
export const ruleOf = (schema: z.core.$ZodType | undefined): string => {
  if (!schema) return 'valid';
  const { rule } = z.globalRegistry.get(schema) ?? {};
  const { innerType, entries } = schema._zod.def as SchemaDefinition;
  if (typeof rule === 'string') return rule;
  return entries ? `one of ${Object.values(entries).join(', ')}` : ruleOf(innerType);
};

/** Whether the value of a setting is a secret as a whole. */
export const isSecretSetting = (name: string): boolean => SECRET_NAME.test(name);

/** A value for an error message; values that may contain a secret are not shown. */
const describeValue = (name: string, value: string): string => {
  const isUrl = /_UR[IL]$/.test(name) || value.includes('://');
  const isSecret = isSecretSetting(name) || (isUrl && value.includes('@'));
  if (isSecret) return `a value of ${value.length} characters, which is not shown`;
  return JSON.stringify(value.length > MAX_SHOWN_CHARACTERS ? `${value.slice(0, MAX_SHOWN_CHARACTERS)}…` : value);
};

/**
 * Parses the settings in `env`. Returns them, or one message per invalid setting. Empty values are treated as absent.
 */
export const readSettings = <T extends z.ZodObject>(
  schema: T,
  env: Environment,
): { settings: z.output<T> } | { invalid: string[] } => {
  const values = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(values);
  if (result.success) return { settings: result.data };
  const names = new Set(result.error.issues.map(({ path: [name] }) => String(name)));
  return {
    invalid: [...names].map(
      (name) => `${name} must be ${ruleOf(schema.shape[name])}; found ${describeValue(name, String(values[name]))}.`,
    ),
  };
};

const sortLetters = (name: string): string => name.split('').toSorted().join('');

/**
 * Returns the maximum number of edits between a misspelled name and the name of a setting. Shorter names allow fewer
 * edits: the common variable HOME, for example, differs from HOST by only two. Names with fewer than five letters allow
 * only reordered letters.
 */
const maxEdits = ({ length }: string): number => (length < 5 ? 0 : length < 8 ? 1 : 2);

const isSimilar = (name: string, setting: string): boolean => {
  // The difference in length is the minimum number of edits.
  if (Math.abs(name.length - setting.length) > maxEdits(setting)) return false;
  return sortLetters(name) === sortLetters(setting) || distance(name, setting) <= maxEdits(setting);
};

/** Returns one warning for each name in `env` that is not a setting but resembles one. */
export const misspellingWarnings = (env: Environment, names: string[]): string[] =>
  Object.keys(env)
    .filter((name) => !names.includes(name) && !name.startsWith('npm_'))
    .flatMap((name) => {
      const similar = names.find((setting) => isSimilar(name.toUpperCase().replaceAll('-', '_'), setting));
      return similar ? [`${name} is not a setting and has no effect; did you mean ${similar}?`] : [];
    });
