/** `npm run audit`, and the lock file. A23 is an attack described in docs/attacks.md. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { judgeAudit } from '../../scripts/audit.ts';

interface LockedPackage {
  resolved?: string;
  integrity?: string;
  optional?: boolean;
}

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };

const reportOf = (severity: string) =>
  JSON.stringify({ vulnerabilities: { left: { severity, range: '<1.2' } }, metadata: { dependencies: { total: 3 } } });

describe('npm run audit', () => {
  it('A23: the audit fails for a high or critical advisory, and only lists those of lower severity', () => {
    for (const [severity, code] of Object.entries({ critical: 1, high: 1, moderate: 0, low: 0 })) {
      const { lines, ...result } = judgeAudit(reportOf(severity));
      expect(result.code, severity).to.equal(code);
      expect(lines[0]).to.match(new RegExp(`^${severity} +left <1\\.2$`));
    }
    expect(judgeAudit('{"vulnerabilities":{}}')).to.deep.equal({
      lines: ['0 packages, 0 with advisories (0 high or critical)'],
      code: 0,
    });
  });

  it('A23: an audit that the registry refuses, or for which npm prints nothing, reports that it was not run, and why', () => {
    const refusal = '{"message":"405 Method Not Allowed","statusCode":405}';
    expect(judgeAudit(refusal).lines).to.deep.equal(['not run: 405 Method Not Allowed']);
    expect(judgeAudit('').lines).to.deep.equal(['not run: npm printed no report']);
  });

  it('A23: packages come from the registry, required ones have a hash, and no package runs a script when it is installed', () => {
    const locked = Object.entries(packages).filter(([path]) => path);
    const namesOf = (isUnsafe: (each: LockedPackage) => boolean) =>
      locked.filter(([, each]) => isUnsafe(each)).map(([path]) => path);
    expect(locked.length).to.be.greaterThan(500);
    expect(namesOf(({ resolved }) => resolved !== undefined)).to.deep.equal([]); // a URL would replace the registry
    expect(namesOf(({ integrity, optional }) => !integrity && !optional)).to.deep.equal([]);
    expect(read('.npmrc')).to.match(/^ignore-scripts=true$/m);
  });
});
