/** Describes all settings: the effective value, where it comes from, and what is wrong with it. */
import type { z } from 'zod';
import { type Environment, isSecretSetting, ruleOf } from './read-settings.ts';

/** Where the value of a setting comes from. */
type SettingSource = 'environment' | 'npm start' | 'default' | 'not set';

/** A setting with its value, in which secrets are masked. */
export interface SettingDescription {
  name: string;
  value: string;
  source: SettingSource;
  /** What is wrong with the value. */
  problem?: string;
}

const MAX_SHOWN_CHARACTERS = 200;
const CREDENTIALS = /\/\/[^/?]*@/;
const SECRET_PARAMETERS = /([?&][^=&]*(?:pass|secret|token|key)[^=&]*=)[^&]*/gi;

/** Replaces secrets in the value of a setting. */
const masked = (name: string, value: string): string => {
  if (isSecretSetting(name)) return `${value.length} characters, not shown`;
  return value.replace(CREDENTIALS, '//***@').replace(SECRET_PARAMETERS, '$1***').slice(0, MAX_SHOWN_CHARACTERS);
};

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value);
};

/**
 * Describes all settings of a schema. `stored` names the settings in `env` that the setup of `npm start` has added. An
 * empty value is treated as absent.
 */
export const describeSettings = (
  schema: z.ZodObject,
  env: Environment,
  stored: string[] = [],
): SettingDescription[] => {
  const defaults: Record<string, unknown> = schema.parse({});
  return Object.entries(schema.shape).map(([name, type]) => {
    const given = env[name];
    if (given === undefined || given === '') {
      const value = textOf(defaults[name]);
      return { name, value: masked(name, value), source: defaults[name] === undefined ? 'not set' : 'default' };
    }
    const isValid = (type as z.ZodType).safeParse(given).success;
    return {
      name,
      value: masked(name, given),
      source: stored.includes(name) ? 'npm start' : 'environment',
      ...(isValid ? {} : { problem: `${name} must be ${ruleOf(type as z.ZodType)}` }),
    };
  });
};
