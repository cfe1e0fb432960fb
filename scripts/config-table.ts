/**
 * Generates the README's table of settings from their schema. `--check` changes nothing and exits with 1 if the table
 * is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { Settings } from '#shared/config.ts';

const README = new URL('../README.md', import.meta.url);
const START_MARK = '<!-- settings: this table is generated from shared/config.ts by `npm run check -- --fix` -->';
const END_MARK = '<!-- end of settings -->';

const defaultSettings: Record<string, unknown> = Settings.parse({});
const { properties = {} } = z.toJSONSchema(Settings, { io: 'input', unrepresentable: 'any' });

const toCode = (value: unknown): string => `\`${String(value)}\``;

const defaultText = (name: string): string => {
  const value = defaultSettings[name];
  return value === undefined || (Array.isArray(value) && !value.length) ? '–' : toCode(value);
};

const choicesText = (name: string): string => {
  const { enum: choices } = properties[name] as { enum?: string[] };
  return choices ? `: ${choices.map(toCode).join(', ')}` : '';
};

const tableRow = ([name, schema]: [string, z.ZodType]): string =>
  `| ${toCode(name)} | ${defaultText(name)} | ${schema.description}${choicesText(name)} |`;

const table = [
  '| Setting | Default | Meaning |',
  '|---|---|---|',
  ...Object.entries(Settings.shape).map(tableRow),
].join('\n');

const readme = readFileSync(README, 'utf8');
const [before, rest = ''] = readme.split(START_MARK);
const after = rest.split(END_MARK)[1];
if (after === undefined) throw new Error(`README.md lacks the lines "${START_MARK}" and "${END_MARK}"`);

const updated = `${before}${START_MARK}\n\n${table}\n\n${END_MARK}${after}`;
if (updated !== readme && process.argv.includes('--check')) {
  console.error('The table of settings in README.md is out of date: run npm run check -- --fix');
  process.exitCode = 1;
} else if (updated !== readme) writeFileSync(README, updated);
