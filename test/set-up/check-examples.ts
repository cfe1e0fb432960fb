/** Small projects that break one rule each, and one that breaks no rule. */

interface Example {
  defect: string;
  files: Record<string, string>;
  findings: string[];
}

const lines = (count: number, text = '') => `${text}\n`.repeat(count);
const arrow = (name: string, count: number) => `export const ${name} = () => {\n${lines(count - 2, '  void 0;')}};\n`;

/** Joined from parts, because this file must not break the rule on registry hosts and paths of a machine. */
const REGISTRY_URL = ['registry', 'npmjs', 'org'].join('.');
const HOME_PATH = ['', 'home', 'somebody'].join('/');

export const BAD_PROJECTS: Example[] = [
  {
    defect: 'import cycles, including those through types and re-exports',
    files: {
      'shared/a.ts': "\nimport type { B } from './b.ts';\nexport type A = B;\n",
      'shared/b.ts': "export * from '#shared/c.ts';\n",
      'shared/c.ts': "export type C = import('./a.ts').A;\n",
      'shared/self.ts': "import './self.ts';\n",
    },
    findings: ['shared/a.ts:2 cycles', 'shared/self.ts:1 cycles'],
  },
  {
    defect: 'folders that import each other',
    files: {
      'shared/domain/leads/leads.ts': "import '../mails/send.ts';\n",
      'shared/domain/mails/send.ts': "import '../team/members.ts';\n",
      'shared/domain/team/members.ts': "\nimport '../leads/names.ts';\n",
      'shared/domain/leads/names.ts': '',
      'shared/domain/conversations/bots/call.ts': "import '../messages/read.ts';\n",
      'shared/domain/conversations/messages/read.ts': "import '../bots/names.ts';\nimport '../key.ts';\n",
      'shared/domain/conversations/bots/names.ts': '',
      'shared/domain/conversations/key.ts': "import './messages/time.ts';\n",
      'shared/domain/conversations/messages/time.ts': '',
    },
    findings: [
      'shared/domain/conversations/bots/call.ts:1 folderCycles',
      'shared/domain/conversations/messages/read.ts:1 folderCycles',
      'shared/domain/leads/leads.ts:1 folderCycles',
      'shared/domain/mails/send.ts:1 folderCycles',
      'shared/domain/team/members.ts:2 folderCycles',
    ],
  },
  {
    defect: 'vague names and avoided words',
    files: {
      'shared/a.ts': [
        '/** What was told. */',
        'export interface Asked { id: string }',
        "export const greeting = 'Hello, whoever you are';",
        "export const told = 'text';",
        'export const text = (name: string) => `${name} was told to wait`;',
      ].join('\n'),
    },
    findings: [
      'shared/a.ts:2 vocabulary',
      'shared/a.ts:4 vocabulary',
      'shared/a.ts:1 vocabulary',
      'shared/a.ts:3 vocabulary',
      'shared/a.ts:5 vocabulary',
    ],
  },
  {
    defect: 'imports against the direction of the layers, including indirect ones',
    files: {
      'shared/models/lead.ts': "import '#shared/events.ts';\n",
      'shared/jobs.ts': "\nimport './detour.ts';\n",
      'shared/detour.ts': "import './domain/leads.ts';\n",
      'shared/events.ts': '',
      'shared/domain/leads.ts': '',
    },
    findings: ['shared/jobs.ts:2 layering', 'shared/models/lead.ts:1 layering'],
  },
  {
    defect: 'imports between api and workers, and from shared to either',
    files: {
      'api/a.ts': "import '../workers/run.ts';\n",
      'workers/run-job.ts': "export const load = () => import('../api/b.ts');\n",
      'api/b.ts': '',
      'shared/s.ts': "export { b } from '../api/b.ts';\n",
    },
    findings: ['api/a.ts:1 layering', 'shared/s.ts:1 layering', 'workers/run-job.ts:1 layering'],
  },
  {
    defect: 'handlers that are longer than ten lines or use `ctx`, including named functions',
    files: {
      'api/leads/endpoints.ts': [
        "export const long = { path: '/', handle: async () => {",
        ...Array.from({ length: 9 }, () => '  void 0;'),
        '} };',
        "export const peeks = { path: '/', handle: ({ ctx }: Call) => ctx.body };",
        'const list = (ctx: Context) => ctx.query;',
        "export const named = { path: '/', handle: list };",
      ].join('\n'),
    },
    findings: [1, 12, 13].map((line) => `api/leads/endpoints.ts:${line} handlers`),
  },
  {
    defect:
      'access to the environment, the clock of the host, koa, bullmq or raw collections outside the files meant for it',
    files: {
      'workers/mail.ts': 'export const url = process.env.SMTP_URL;\n',
      'api/mail.ts': "import { env } from 'node:process';\nvoid env;\n",
      'api/leads/endpoints.ts': "import type { Context } from 'koa';\nimport Router from '@koa/router';\n",
      'shared/jobs.ts': "import { Queue } from 'bullmq';\n",
      'shared/due.ts': 'export const isDue = (at: Date) => at <= new Date() || +at < Date.now();\n',
      'shared/domain/leads.ts': "Lead.collection.drop();\nconnection.collection('leads');\n",
    },
    findings: [
      'api/leads/endpoints.ts:1 restrictedAccess',
      'api/leads/endpoints.ts:2 restrictedAccess',
      'api/mail.ts:1 restrictedAccess',
      'shared/domain/leads.ts:1 restrictedAccess',
      'shared/domain/leads.ts:2 restrictedAccess',
      'shared/due.ts:1 restrictedAccess',
      'shared/due.ts:1 restrictedAccess',
      'shared/jobs.ts:1 restrictedAccess',
      'workers/mail.ts:1 restrictedAccess',
    ],
  },
  {
    defect: 'long files, long functions and more than three parameters',
    files: {
      'shared/tiny.ts': '',
      'shared/small.ts': arrow('one', 3) + arrow('two', 3),
      'shared/long.ts': arrow('far', 61) + lines(190),
      'test/long.test.ts': lines(251),
      'scripts/four.mjs': 'export function four(a, b, c, d) {}\n',
    },
    findings: [
      'shared/long.ts:1 sizes',
      'test/long.test.ts:1 sizes',
      'scripts/four.mjs:1 sizes',
      'shared/long.ts:1 sizes',
    ],
  },
  {
    defect: 'comment lines of more than 120 characters',
    files: {
      'shared/a.ts': `// ${'x'.repeat(117)}\n// ${'x'.repeat(118)}\n`,
      'shared/b.ts': `/**\n * short\n * ${'x'.repeat(118)}\n */\nexport const b = '${'x'.repeat(118)}';\n`,
      'shared/c.ts': `export const c = '${'x'.repeat(80)}'; // a comment that ends after the limit\n`,
    },
    findings: ['shared/a.ts:2 sizes', 'shared/b.ts:3 sizes', 'shared/c.ts:1 sizes'],
  },
  {
    defect: 'a median length of 60 lines for files or 12 lines for functions',
    files: { 'shared/a.ts': arrow('a', 12) + lines(48), 'shared/b.ts': arrow('b', 12) + lines(60) },
    findings: ['.:0 sizes', '.:0 sizes'],
  },
  {
    defect: '`any`, silenced type errors and empty `catch` blocks',
    files: {
      'shared/a.ts': [
        'export const a = (value: any) => value;',
        '// @ts-ignore',
        'try { a(1); } catch {}',
        'void a(2).catch(() => {});',
      ].join('\n'),
    },
    findings: [1, 2, 3, 4].map((line) => `shared/a.ts:${line} unsafeCode`),
  },
  {
    defect: 'registry hosts and machine-specific paths in any text file',
    files: {
      'README.md': `\nfrom https://${REGISTRY_URL}/koa\n`,
      'docker-compose.yml': `volumes: ["${HOME_PATH}/data:/data"]\n`,
    },
    findings: ['README.md:2 machinePaths', 'docker-compose.yml:1 machinePaths'],
  },
  {
    defect: 'a package that production code imports and production does not install',
    files: {
      'package.json': JSON.stringify({ dependencies: { koa: '3' }, devDependencies: { yaml: '2', chai: '6' } }),
      'api/main.ts': "import Koa from 'koa';\nimport { parse } from 'yaml';\nvoid [Koa, parse];\n",
      'test/a.test.ts': "import 'chai';\n",
    },
    findings: ['api/main.ts:2 productionDeps'],
  },
  {
    defect: 'a file that is in the folder of a queue and is not a listed job',
    files: {
      'workers/processors.ts': "import { index } from './kb/index-content.ts';\nvoid index;\n",
      'workers/kb/index-content.ts': 'export const index = 1;\n',
      'workers/kb/text-of-page.ts': '',
    },
    findings: ['workers/kb/text-of-page.ts:1 jobFiles'],
  },
];

export const GOOD_PROJECT: Record<string, string> = {
  'api/main.ts': "import Koa from 'koa';\nimport { queue } from '#shared/queue/queue.ts';\nvoid [Koa, queue];\n",
  'api/leads/endpoints.ts': [
    'const ctx = 1;',
    "export const get = { path: '/', handle: ({ actor }: Call) => actor.ctx };",
    'export const other = { handle: (ctx: number) => ctx };',
    'void ctx;',
  ].join('\n'),
  'shared/config.ts': 'export const config = process.env;\n',
  'shared/queue/queue.ts': "import { Queue } from 'bullmq';\nimport './jobs.ts';\nexport const queue = Queue;\n",
  'shared/jobs.ts': "import './events.ts';\n",
  'shared/events.ts': "import './models/lead.ts';\n",
  'shared/models/lead.ts': "import '#shared/config.ts';\n",
  'shared/time/clock.ts': 'export const now = () => Date.now();\n',
  'shared/month.ts': 'export const month = (at: number) => new Date(at).getUTCMonth();\n',
  'shared/table.ts': `export const TABLE = [\n${lines(300, "  'row',")}];\n`,
  'shared/quiet.ts': [
    'try { run(); } catch { /* a missing file is an empty one */ }',
    'export const list = (a: A, b: B, c: C, ...more: D[]) => [a, b, c, more];',
    'void run().catch(() => {}); // the caller has the error',
    'export const page = "https://example.com/home/page";',
    'items.forEach((a, b, c, d) => [a, b, c, d]);',
    'const any = "@ts-ignore"; // not @ts-ignore either',
  ].join('\n'),
  'workers/processors.ts': "import './kb/index-content.ts';\n",
  'workers/kb/index-content.ts': "import '../indexing/chunks.ts';\n",
  'workers/indexing/chunks.ts': '',
  'test/suite.test.ts': `const mail = process.env.MAIL;\ndescribe('x', () => {\n${lines(100, '  void mail;')}});\n`,
};
