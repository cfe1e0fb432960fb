/** Runs the recipes of the README in a copy of the code, and its commands in this checkout. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { config } from '#shared/config.ts';
import { QUEUE_NAMES } from '#shared/jobs.ts';
import { testDataFolder } from '../../scripts/set-up/test-folder.mjs';
import {
  readmeBlocks,
  copyWithRecipes,
  fileChanges,
  productionFiles,
  readme,
  repositoryRoot,
  touchedFiles,
} from '../support/readme-recipes.ts';
import { RUN_ELSEWHERE, RUN_HERE } from '../support/readme-commands.ts';

/** Runs a process until it exits. Returns its exit code and its output. */
const run = async (
  command: string,
  args: string[],
  { cwd = repositoryRoot, env = {} }: { cwd?: string; env?: object } = {},
) => {
  const child = spawn(command, args, { cwd, env: { ...process.env, NODE_V8_COVERAGE: '', ...env } });
  const ended = new Promise<number>((resolve) => child.on('close', resolve));
  const text = async (stream: NodeJS.ReadableStream) => (await Array.fromAsync(stream)).join('');
  const [code, out, error] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output: out + error };
};

/** Files that the recipes change and that the compiler checks. */
const REGISTRIES = ['shared/jobs.ts', 'shared/events.ts', 'workers/processors.ts'];

/** The build info of the last run, with which the compiler checks only changed files and the files that import them. */
const BUILD_INFO = 'recipes.tsbuildinfo';
const lastBuildInfo = join(testDataFolder, BUILD_INFO);

const withoutOptions = (command: string) =>
  command.replace(/^([A-Z_]+=\S+ )+/, '').replace(/^(npm run (api|workers)|docker compose up)\b.*/, '$1');

const commandsInReadme = (): string[] => {
  const inline = [...readme.replace(/^```.*?^```$/gms, '').matchAll(/`((?:npm|docker) [^`]+)`/g)].map(
    ([, text]) => text,
  );
  const lines = readmeBlocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'));
  return [...new Set([...inline, ...lines].map((command) => withoutOptions(command ?? '')))];
};

describe('README recipes', () => {
  const ownName = `readme-${process.pid}`;
  /**
   * The tests of the copy need a separate database, because the relays of other tests do not know the recipe's event.
   */
  const ownDatabase = new URL(config.MONGODB_URI);
  ownDatabase.pathname = `/${ownName}`;
  let copy: string;

  before(async () => {
    copy = await copyWithRecipes();
  });

  after(async () => {
    rmSync(copy, { recursive: true });
    await mongoose.connection.getClient().db(ownName).dropDatabase();
  });

  it('the README recipe for a resource adds a folder, a model and an entry in api/resources.ts, and the recipe for a job adds a file and entries in shared/jobs.ts and workers/processors.ts', () => {
    const folders = productionFiles.map((name) => name.split('/').slice(0, 2).join('/'));
    expect(folders).to.deep.equal(['shared/models', 'api/holidays', 'workers/maintenance']);
    const added = fileChanges
      .slice(0, 3)
      .map(({ name, lines }) => [
        name,
        lines.filter((line) => /^[+-] {2}\S/.test(line) && !/^. {2}[})\]]/.test(line)).length,
      ]);
    expect(Object.fromEntries(added)).to.deep.equal({
      'api/resources.ts': 1,
      'shared/jobs.ts': 1,
      'workers/processors.ts': 1,
    });
  });

  it('the README recipe for an event adds one entry to shared/events.ts and passes one more argument to a write', () => {
    const changed = (file: string, sign: string) => {
      const lines = fileChanges.find(({ name }) => name === file)?.lines ?? [];
      return lines.filter((line) => line.startsWith(sign) && !line.startsWith('+import'));
    };
    expect(changed('shared/events.ts', '+')).to.have.length(1);
    const handlerCode = (sign: string) =>
      changed('api/holidays/endpoints.ts', sign).map((line) => line.slice(1).trim());
    const [before, after] = ['-', '+'].map((sign) => handlerCode(sign).join(' '));
    expect(after?.replace("emits('holiday.create')", '')).to.equal(before);
  });

  it('the code of the README recipes passes the compiler, the formatter and the rules of the check', async function check() {
    this.timeout(300_000); // the compiler shares the machine with other work
    const compilerOptions = { incremental: true, tsBuildInfoFile: `./${BUILD_INFO}` };
    const files = [...productionFiles, ...REGISTRIES];
    const settings = { extends: './tsconfig.json', include: ['shared/**/*.d.ts'], files, compilerOptions };
    writeFileSync(join(copy, 'tsconfig.recipes.json'), JSON.stringify(settings));
    if (existsSync(lastBuildInfo)) cpSync(lastBuildInfo, join(copy, BUILD_INFO));
    const tool = (name: string) => join(repositoryRoot, 'node_modules/.bin', name);
    const [types, format, rules] = await Promise.all([
      run(tool('tsc'), ['--noEmit', '--singleThreaded', '--project', 'tsconfig.recipes.json'], { cwd: copy }),
      run(tool('biome'), ['format', '--vcs-enabled=false', ...touchedFiles], { cwd: copy }),
      run(process.execPath, [join(repositoryRoot, 'scripts/check/rules.mjs'), copy]),
    ]);
    expect(types.output).to.equal('');
    cpSync(join(copy, BUILD_INFO), lastBuildInfo);
    expect(format.code, format.output).to.equal(0);
    const broken = rules.output.split('\n').filter((line) => touchedFiles.some((name) => line.startsWith(`${name}:`)));
    expect(broken).to.deep.equal([]);
    expect(rules.output).to.include('import cycles 0');
  });

  it('the code of the README recipes passes its own tests and the tests of every endpoint', async function runTests() {
    const mocha = join(repositoryRoot, 'node_modules/mocha/bin/mocha.js');
    const tests = touchedFiles.filter((name) => name.startsWith('test/'));
    const report = join(copy, 'report.json');
    const reporter = ['--reporter', 'json', '--reporter-option', `output=${report}`];
    const args = ['--exit', ...reporter, '--require', 'test/setup.ts', '--grep', '[Hh]olidays'];
    const compileCache = { NODE_COMPILE_CACHE: join(copy, 'compiled') }; // not in the cache that the other tests share
    const env = { MONGODB_URI: ownDatabase.href, QUEUE_PREFIX: ownName, FORCE_COLOR: '0', ...compileCache };
    const { output } = await run(process.execPath, [mocha, ...args, ...tests, 'test/api/endpoints.test.ts'], {
      cwd: copy,
      env,
    });
    expect(existsSync(report), output).to.equal(true);
    const { stats, failures } = JSON.parse(readFileSync(report, 'utf8'));
    expect(failures).to.deep.equal([]);
    expect(stats.passes).to.be.at.least(12);
  });

  it('the check reports an outdated table of settings, and scripts/config-table.ts updates it', async () => {
    const table = (...args: string[]) => run(process.execPath, ['scripts/config-table.ts', ...args], { cwd: copy });
    expect(await table('--check')).to.deep.equal({ code: 0, output: '' });
    const file = join(copy, 'README.md');
    writeFileSync(file, readme.replace('| `PORT` | `3000` |', '| `PORT` | `3001` |'));
    expect(await table('--check'))
      .to.deep.include({ code: 1 })
      .and.property('output')
      .to.include('npm run check -- --fix');
    expect((await table()).code).to.equal(0);
    expect(readFileSync(file, 'utf8')).to.equal(readme);
  });
});

describe('The README', () => {
  it('every command in the README is run by a test, or excluded with a reason', () => {
    const listed = [...Object.keys(RUN_HERE), ...Object.keys(RUN_ELSEWHERE)];
    expect(commandsInReadme().toSorted()).to.deep.equal(listed.toSorted());
  });

  for (const [command, expected] of Object.entries(RUN_HERE)) {
    it(`the README command ${command} works`, async function execute() {
      const [program = '', ...args] = command.split(' ');
      const { code, output } = await run(program, args);
      expect(code, output).to.equal(0);
      expect(output).to.match(expected);
    });
  }

  it('the folder table of the README has one row for every folder', () => {
    const [, map = ''] = /^## Folders\n(.*?)^Imports/ms.exec(readme) ?? [];
    const named = [...map.matchAll(/^\| ((?:`\S+` ?)+)\|/gm)].flatMap(
      ([, cell = '']) => cell.match(/[\w/-]+(?=\/`)/g) ?? [],
    );
    const inside = (folder: string) =>
      readdirSync(join(repositoryRoot, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${folder}/${name}`);
    const folders = ['api', 'shared', 'workers'].flatMap((folder) => [folder, ...inside(folder)]);
    const others = ['client', 'deploy', 'docs', 'scripts', 'test'];
    expect(named.toSorted()).to.deep.equal([...folders, ...others].toSorted());
  });

  it('the folder table of the README names every folder of shared/domain', () => {
    const [nouns = ''] = /^\| `shared\/domain\/` .*$/m.exec(readme) ?? [];
    const named = [...nouns.matchAll(/`([\w-]+)\/`/g)].map(([, name]) => name);
    expect(named).to.have.members(readdirSync(join(repositoryRoot, 'shared/domain')));
  });

  it('the table of queues in the README has one row for every queue', () => {
    const [, rows = ''] = /^\| Queue \| Jobs \|\n(.*?)\n\n/ms.exec(readme) ?? [];
    const named = [...rows.matchAll(/^\| `([\w-]+)` /gm)].map(([, name]) => name);
    expect(named).to.have.members([...QUEUE_NAMES, 'relay']);
  });

  it('the README links to every page of docs', () => {
    const pages = readdirSync(join(repositoryRoot, 'docs')).filter((name) => name.endsWith('.md'));
    expect(pages.filter((name) => !readme.includes(`(docs/${name}`))).to.deep.equal([]);
  });
});

describe('README.md and docs/', () => {
  const documents = [
    'README.md',
    ...readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ];

  for (const document of documents.filter((name) => name.endsWith('.md'))) {
    it(`${document} names only files, and links only to pages, that exist`, () => {
      const text = readFileSync(join(repositoryRoot, document), 'utf8');
      const paths = [...text.matchAll(/`((?:api|shared|workers|scripts|test|docs|\.ci)\/[\w./-]+)`/g)].map(
        ([, name = '']) => join(repositoryRoot, name),
      );
      const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, name = '']) =>
        join(repositoryRoot, dirname(document), name),
      );
      expect([...paths, ...links].filter((name) => !existsSync(name))).to.deep.equal([]);
    });
  }
});
