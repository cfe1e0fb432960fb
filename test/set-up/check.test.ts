import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { runRules } from '../../scripts/check/run-rules.mjs';
import { BAD_PROJECTS, GOOD_PROJECT } from './check-examples.ts';

const RULES = 'scripts/check/rules.mjs';

/** Runs `work` in a folder that contains these files. */
const withFiles = <T>(files: Record<string, string>, work: (folder: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), 'check-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Runs the rules as a command. Returns the lines that it prints, and its exit code. */
const runCommand = (folder: string) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [RULES, folder], { encoding: 'utf8' });
  expect(stderr).to.equal('');
  return { status, lines: stdout.trim().split('\n') };
};

describe('Rules of npm run check', () => {
  for (const { defect, files, findings } of BAD_PROJECTS) {
    it(`the check rejects ${defect}`, () => {
      const found = withFiles(files, (folder) => runRules(folder).findings);
      expect(found.map((line) => line.split(': ')[0])).to.deep.equal(findings);
    });
  }

  it('the command prints each finding and a summary, and exits with 1', () => {
    const { files, findings } = BAD_PROJECTS[0] as (typeof BAD_PROJECTS)[number];
    const { status, lines } = withFiles(files, runCommand);
    expect(status).to.equal(1);
    expect(lines.slice(0, -1).map((line) => line.split(': ')[0])).to.deep.equal(findings);
    expect(lines.at(-1)).to.include('import cycles 2');
  });

  it('the check accepts valid code that resembles the bad examples', () => {
    const { status, lines } = withFiles(GOOD_PROJECT, runCommand);
    expect(status).to.equal(0);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('import cycles 0').and.include('median');
  });
});
