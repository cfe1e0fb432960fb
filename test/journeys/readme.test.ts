/** What the README tells works: its recipes in a copy of the code, its commands here. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { config } from '#shared/config.ts';
import { aCopy, blocks, changes, production, readme, root, touched } from '../support/recipes.ts';

const MINUTE = 60_000;

/** A process run to its end: its exit code and all it said. */
const run = async (command: string, args: string[], { cwd = root, env = {} }: { cwd?: string; env?: object } = {}) => {
  const child = spawn(command, args, { cwd, env: { ...process.env, NODE_V8_COVERAGE: '', ...env } });
  const ended = new Promise<number>((resolve) => child.on('close', resolve));
  const text = async (stream: NodeJS.ReadableStream) => (await Array.fromAsync(stream)).join('');
  const [code, out, error] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, said: out + error };
};

/** What the recipes add to, as far as the compiler has a say. */
const MENUS = ['shared/jobs.ts', 'shared/events.ts', 'workers/processors.ts'];

/** Commands that are run here, with what they say when they work. */
const RUN: Record<string, RegExp> = {
  'npm start -- --help': /DATA_DIR/,
  'npm run cli -- --help': /kb +knowledge bases/,
};

/** Commands that are not run here, and why. */
const ELSEWHERE: Record<string, string> = {
  'npm start': 'installs and starts a whole system: test/set-up',
  'npm test': 'is what runs this',
  'npm test -- test/api/tags.test.ts -g names': 'would run a suite in the suite: test/set-up',
  'npm run cli -- listeners replay events.call-bot --after <position>': 'names a position: test/set-up/cli.test.ts',
  'npm test -- --coverage': 'would run the suite in the suite',
  'npm run cli -- kb status': 'test/set-up/cli.test.ts',
  'npm run cli -- jobs list': 'test/set-up/cli.test.ts',
  'npm run cli -- listeners': 'test/set-up/cli.test.ts',
  'npm run cli -- roles': 'test/set-up/cli.test.ts',
  'npm run api': 'test/api/process.test.ts',
  'npm run workers': 'test/journeys',
  'npm run cli -- kb rebuild': 'would rebuild what other tests index meanwhile: test/set-up/cli.test.ts',
  'npm run cli -- accounts verify owner@example.com': 'no such account here: test/set-up/cli.test.ts',
  'npm run cli -- requests recount 64b7f3e2a1c9d80f5e6a7b8c': 'no such project here: test/set-up/cli.test.ts',
  'npm run cli -- seed owner@example.com --requests 100000': 'takes a minute: test/set-up/cli.test.ts',
  'npm run check': 'takes too long; .ci/run runs it before the suite',
  'npm run check -- --fix': 'writes into the tree',
  'npm run bench': 'takes minutes',
  'npm run faults': 'takes minutes',
  'docker compose up': 'no containers here; test/set-up/compose.test.ts holds the file against its schema',
};

const withoutOptions = (command: string) =>
  command.replace(/^([A-Z_]+=\S+ )+/, '').replace(/^(npm run (api|workers)|docker compose up)\b.*/, '$1');

const quoted = (): string[] => {
  const inline = [...readme.replace(/^```.*?^```$/gms, '').matchAll(/`((?:npm|docker) [^`]+)`/g)].map(
    ([, text]) => text,
  );
  const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'));
  return [...new Set([...inline, ...lines].map((command) => withoutOptions(command ?? '')))];
};

describe('The recipes of the README', () => {
  const ownName = `readme-${process.pid}`;
  /** For the tests of the copy: where another test here relays, its relay does not know the recipe's event. */
  const ownDatabase = new URL(config.MONGODB_URI);
  ownDatabase.pathname = `/${ownName}`;
  let copy: string;

  before(async () => {
    copy = await aCopy();
  });

  after(async () => {
    rmSync(copy, { recursive: true });
    await mongoose.connection.getClient().db(ownName).dropDatabase();
  });

  it('take one folder, one model file and one line for a resource, one file and two lines for a job', () => {
    const folders = production.map((name) => name.split('/').slice(0, 2).join('/'));
    expect(folders).to.deep.equal(['shared/models', 'api/holidays', 'workers/upkeep']);
    const added = changes
      .slice(0, 3)
      .map(({ name, lines }) => [name, lines.filter((line) => !line.startsWith(' ')).length]);
    expect(Object.fromEntries(added)).to.deep.equal({
      'api/resources.ts': 1,
      'shared/jobs.ts': 1,
      'workers/processors.ts': 1,
    });
  });

  it('take one line in the menu and one word at the verb for an event', () => {
    const changed = (file: string, sign: string) => {
      const lines = changes.find(({ name }) => name === file)?.lines ?? [];
      return lines.filter((line) => line.startsWith(sign) && !line.startsWith('+import'));
    };
    expect(changed('shared/events.ts', '+')).to.have.length(1);
    const verb = (sign: string) => changed('api/holidays/endpoints.ts', sign).map((line) => line.slice(1).trim());
    const [before, after] = ['-', '+'].map((sign) => verb(sign).join(' '));
    expect(after?.replace("emits('holiday.create')", '')).to.equal(before);
  });

  it('are correctly typed, formatted and by the rules', async function check() {
    this.timeout(MINUTE);
    const settings = { extends: './tsconfig.json', include: [], files: [...production, ...MENUS] };
    writeFileSync(join(copy, 'tsconfig.recipes.json'), JSON.stringify(settings));
    const tool = (name: string) => join(root, 'node_modules/.bin', name);
    const [types, format, rules] = await Promise.all([
      run(tool('tsc'), ['--noEmit', '--project', 'tsconfig.recipes.json'], { cwd: copy }),
      run(tool('biome'), ['format', '--vcs-enabled=false', ...touched], { cwd: copy }),
      run(process.execPath, [join(root, 'scripts/check/rules.mjs'), copy]),
    ]);
    expect(types.said).to.equal('');
    expect(format.code, format.said).to.equal(0);
    const broken = rules.said.split('\n').filter((line) => touched.some((name) => line.startsWith(`${name}:`)));
    expect(broken).to.deep.equal([]);
    expect(rules.said).to.include('import cycles 0');
  });

  it('work, and pass what every endpoint must', async function work() {
    this.timeout(MINUTE);
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
    const tests = touched.filter((name) => name.startsWith('test/'));
    const args = ['--exit', '--reporter', 'json', '--require', 'test/setup.ts', '--grep', '[Hh]olidays'];
    const env = { MONGODB_URI: ownDatabase.href, QUEUE_PREFIX: ownName, FORCE_COLOR: '0' };
    const { said } = await run(process.execPath, [mocha, ...args, ...tests, 'test/api/endpoints.test.ts'], {
      cwd: copy,
      env,
    });
    const { stats, failures } = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1));
    expect(failures).to.deep.equal([]);
    expect(stats.passes).to.be.at.least(12);
  });

  it('change no setting: where its table differs the check says what to do, and the command does it', async () => {
    const table = (...args: string[]) => run(process.execPath, ['scripts/config-table.ts', ...args], { cwd: copy });
    expect(await table('--check')).to.deep.equal({ code: 0, said: '' });
    const file = join(copy, 'README.md');
    writeFileSync(file, readme.replace('| `PORT` | `3000` |', '| `PORT` | `3001` |'));
    expect(await table('--check'))
      .to.deep.include({ code: 1 })
      .and.property('said')
      .to.include('npm run check -- --fix');
    expect((await table()).code).to.equal(0);
    expect(readFileSync(file, 'utf8')).to.equal(readme);
  });
});

describe('The README', () => {
  it('quotes no command that is neither run here nor elsewhere, and no reason without its command', () => {
    const known = [...Object.keys(RUN), ...Object.keys(ELSEWHERE)];
    expect(quoted().toSorted()).to.deep.equal(known.toSorted());
  });

  for (const [command, expected] of Object.entries(RUN)) {
    it(`quotes ${command}, which works`, async function execute() {
      this.timeout(MINUTE);
      const [program = '', ...args] = command.split(' ');
      const { code, said } = await run(program, args);
      expect(code, said).to.equal(0);
      expect(said).to.match(expected);
    });
  }

  it('has a row for every room, and no row for one that is not there', () => {
    const [, map = ''] = /^## Rooms\n(.*?)^Imports/ms.exec(readme) ?? [];
    const named = [...map.matchAll(/^\| ((?:`\S+` ?)+)\|/gm)].flatMap(
      ([, cell = '']) => cell.match(/[\w/-]+(?=\/`)/g) ?? [],
    );
    const inside = (folder: string) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${folder}/${name}`);
    const rooms = ['api', 'shared', 'workers'].flatMap((folder) => [folder, ...inside(folder)]);
    expect(named.toSorted()).to.deep.equal([...rooms, 'docs', 'scripts', 'test'].toSorted());
  });

  it('names files and folders that are there', () => {
    const files = /`((?:api|shared|workers|scripts|test|docs|\.ci)\/[\w./-]+)`/g;
    const named = [...readme.matchAll(files)].map(([, name = '']) => name);
    expect(named.filter((name) => !existsSync(join(root, name)))).to.deep.equal([]);
  });
});
