/** Compares the files whose code a conversation's first message runs with the lists in docs/architecture.md. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

/** The maximum number of files of `api/` and `shared/domain/` whose code a first message runs. */
const MAX_FILES = 30;

const MEASURING_PROCESS = join(import.meta.dirname, '../support/first-message-process.ts');

const measureFiles = async (): Promise<string[]> => {
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stdout } = await promisify(execFile)(process.execPath, [MEASURING_PROCESS], { env });
  return Object.keys(JSON.parse(stdout) as Record<string, number>);
};

const isOnPath = (file: string): boolean => /^(api|shared\/domain)\//.test(file);

/** Returns the files that a section of docs/architecture.md names. */
const filesInSection = (title: string): string[] => {
  const text = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split(`\n### ${title}\n`);
  const [body = ''] = section.split('\n#');
  return [...new Set([...body.matchAll(/`((?:api|shared)\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file))];
};

describe('Path of a first message', () => {
  let measured: string[];

  before(async () => {
    measured = await measureFiles();
  });

  it(`a first message runs code in at most ${MAX_FILES} files of api/ and shared/domain/`, () => {
    expect(measured.filter(isOnPath).length).to.be.at.least(20).and.at.most(MAX_FILES);
  });

  it('docs/architecture.md lists the files of api/ and shared/domain/ whose code a first message runs', () => {
    expect(filesInSection('Until the answer')).to.have.members(measured.filter(isOnPath));
  });

  it('docs/architecture.md lists the other files of shared/ whose code a first message runs', () => {
    expect(filesInSection('Libraries along the way')).to.have.members(measured.filter((file) => !isOnPath(file)));
  });
});
