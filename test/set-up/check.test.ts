import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { BAD_PROJECTS, GOOD_PROJECT } from './check-examples.ts';

const RULES = 'scripts/check/rules.mjs';

/** Runs the rules on these files; returns the findings as `file:line rule`, the summary line and the exit code. */
const check = (files: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'check-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { stdout, stderr, status } = spawnSync(process.execPath, [RULES, folder], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stderr).to.equal('');
  const lines = stdout.trim().split('\n');
  return { status, summary: lines.pop(), found: lines.map((line) => line.split(': ')[0]) };
};

describe('Rules of npm run check', () => {
  for (const { defect, files, findings } of BAD_PROJECTS) {
    it(`the check rejects ${defect}`, () => {
      const checked = check(files);
      expect(checked.found).to.deep.equal(findings);
      expect(checked.status).to.equal(1);
    });
  }

  it('the check accepts valid code that resembles the bad examples', () => {
    const checked = check(GOOD_PROJECT);
    expect(checked.found).to.deep.equal([]);
    expect(checked.status).to.equal(0);
    expect(checked.summary).to.include('import cycles 0').and.include('median');
  });
});
