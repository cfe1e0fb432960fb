/** Writes the README's table of settings from their schema; `--check` changes nothing and exits 1 when it is not up to date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { Settings } from '#shared/config.ts';

const README = new URL('../README.md', import.meta.url);
const START = '<!-- settings: this table is made from shared/config.ts by `npm run check -- --fix` -->';
const END = '<!-- end of settings -->';

const defaults: Record<string, unknown> = Settings.parse({});
const { properties = {} } = z.toJSONSchema(Settings, { io: 'input', unrepresentable: 'any' });

const code = (value: unknown): string => `\`${String(value)}\``;

const defaultOf = (name: string): string => {
  const value = defaults[name];
  return value === undefined || (Array.isArray(value) && !value.length) ? '–' : code(value);
};

const choicesOf = (name: string): string => {
  const { enum: choices } = properties[name] as { enum?: string[] };
  return choices ? `: ${choices.map(code).join(', ')}` : '';
};

const rowOf = ([name, schema]: [string, z.ZodType]): string =>
  `| ${code(name)} | ${defaultOf(name)} | ${schema.description}${choicesOf(name)} |`;

const table = ['| Setting | Default | Meaning |', '|---|---|---|', ...Object.entries(Settings.shape).map(rowOf)].join(
  '\n',
);

const readme = readFileSync(README, 'utf8');
const [before, rest = ''] = readme.split(START);
const after = rest.split(END)[1];
if (after === undefined) throw new Error(`README.md lacks the lines "${START}" and "${END}"`);

const wanted = `${before}${START}\n\n${table}\n\n${END}${after}`;
if (wanted !== readme && process.argv.includes('--check')) {
  console.error('The table of settings in README.md is not that of shared/config.ts: run npm run check -- --fix');
  process.exitCode = 1;
} else if (wanted !== readme) writeFileSync(README, wanted);
