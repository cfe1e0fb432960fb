/**
 * `npm run audit`: compares the installed production packages with the advisories of the registry. Exits with code 1 if
 * an advisory is of high or critical severity. Prints `not run` with the reason if the registry does not answer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const REJECTED_SEVERITIES = ['high', 'critical'];

interface AuditReport {
  vulnerabilities?: Record<string, { severity: string; range?: string }>;
  metadata?: { dependencies?: { total?: number } };
  message?: string;
  error?: { summary?: string };
}

/** Returns what the report of `npm audit --json` means: the lines to print, and the exit code. */
export const judgeAudit = (output: string): { lines: string[]; code: number } => {
  const report = parse(output);
  const { vulnerabilities } = report;
  if (!vulnerabilities) {
    const reason = report.message ?? report.error?.summary ?? 'npm printed no report';
    return { lines: [`not run: ${reason}`], code: 0 };
  }
  const found = Object.entries(vulnerabilities);
  const lines = found.map(([name, { severity, range }]) => `${severity.padEnd(8)} ${name} ${range ?? ''}`.trimEnd());
  const rejected = found.filter(([, { severity }]) => REJECTED_SEVERITIES.includes(severity));
  const total = `${report.metadata?.dependencies?.total ?? 0} packages, ${found.length} with advisories`;
  return { lines: [...lines, `${total} (${rejected.length} high or critical)`], code: rejected.length ? 1 : 0 };
};

const parse = (output: string): AuditReport => {
  try {
    return JSON.parse(output) as AuditReport;
  } catch {
    return {};
  }
};

const main = async (): Promise<void> => {
  const child = spawn('npm', ['audit', '--omit=dev', '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const { lines, code } = judgeAudit(output);
  console.log(lines.join('\n'));
  process.exitCode = code;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
