/** The commands in the README, and how they are tested. */

/** Commands that the test of the README runs, with the expected output. */
export const RUN_HERE: Record<string, RegExp> = {
  'npm start -- --help': /DATA_DIR/,
  'npm run cli -- --help': /kb +knowledge bases/,
};

/** Commands that the test of the README does not run, each with the reason, the test that runs it, or both. */
export const RUN_ELSEWHERE: Record<string, string> = {
  'npm start': 'installs and starts a whole system: test/set-up',
  'npm test': 'runs this test',
  'npm test -- test/api/tags.test.ts -g names': 'would start the test suite inside itself: test/set-up',
  'npm run cli -- listeners replay events.enqueue-bot-call --after <cursor>':
    'needs the cursor of an existing event: test/set-up/cli.test.ts',
  'npm test -- --coverage': 'would start the test suite inside itself',
  'npm run cli -- kb status': 'test/set-up/cli-kb.test.ts',
  'npm run cli -- queues list': 'test/set-up/cli-queues.test.ts',
  'npm run cli -- queues failed': 'test/set-up/cli-queues.test.ts',
  'npm run cli -- queues retry kb': 'test/set-up/cli-queues.test.ts',
  'npm run cli -- listeners list': 'test/set-up/cli.test.ts',
  'npm run cli -- dead-letters list': 'test/set-up/cli.test.ts',
  'npm run cli -- dead-letters replay <dead letter>': 'needs a dead letter: test/set-up/cli-dead-letters.test.ts',
  'npm run cli -- files orphans': 'test/set-up/cli-files.test.ts',
  'npm run cli -- roles': 'test/set-up/cli.test.ts',
  'npm run cli -- analytics rebuild': 'test/set-up/cli-analytics.test.ts',
  'npm run api': 'test/api/api-process.test.ts',
  'npm run workers': 'test/journeys',
  'npm run cli -- kb rebuild': 'would rebuild indexes that other tests use: test/set-up/cli-kb.test.ts',
  'npm run cli -- kb why https://shop.example.com/returns': 'no such content here: test/set-up/cli-kb.test.ts',
  'npm run cli -- kb migrate-store --to qdrant --url http://127.0.0.1:6333':
    'no Qdrant server here: test/set-up/cli-kb.test.ts',
  'npm run cli -- kb eval questions.json --project <project>': 'test/shared/kb-eval-command.test.ts',
  'npm run cli -- accounts verify owner@example.com': 'no such account here: test/set-up/cli.test.ts',
  'npm run cli -- config check': 'test/set-up/cli-operations.test.ts',
  'npm run cli -- doctor': 'test/set-up/cli-operations.test.ts',
  'npm run cli -- migrate status': 'test/set-up/cli-operations.test.ts',
  'npm run cli -- migrate down --dry-run': 'test/set-up/cli-operations.test.ts',
  'npm run cli -- maintenance on --retry-after 600': 'test/set-up/cli-operations.test.ts',
  'npm run cli -- maintenance off': 'test/set-up/cli-operations.test.ts',
  'npm run cli -- log-level debug': 'test/set-up/cli-operations.test.ts',
  'npm run cli -- requests recount 64b7f3e2a1c9d80f5e6a7b8c': 'no such project here: test/set-up/cli.test.ts',
  'npm run cli -- seed owner@example.com --requests 100000': 'takes a minute: test/set-up/cli.test.ts',
  'npm run cli -- import mongodb://old-host:27017/chat --dry-run':
    'no such database here: test/journeys/import-database.test.ts',
  'npm run cli -- backup create backups/monday': 'test/set-up/cli-backup.test.ts',
  'npm run cli -- backup verify backups/monday': 'test/set-up/cli-backup.test.ts',
  'npm run cli -- backup restore backups/monday': 'test/set-up/cli-backup.test.ts',
  'npm run cli -- people export ann@example.com ann': 'test/set-up/cli-personal-data.test.ts',
  'npm run cli -- people erase ann@example.com --dry-run': 'test/set-up/cli-personal-data.test.ts',
  'npm run cli -- projects erase 64b7f3e2a1c9d80f5e6a7b8c --dry-run': 'test/set-up/cli-personal-data.test.ts',
  'npm run cli -- retention list': 'test/set-up/cli-personal-data.test.ts',
  'npm run cli -- retention apply --dry-run': 'test/set-up/cli-personal-data.test.ts',
  'npm run check': 'takes too long; .ci/run runs it before the suite',
  'npm run check -- --fix': 'changes files of the repository',
  'npm run bench': 'takes minutes',
  'npm run faults': 'takes minutes',
  'npm run screenshots': 'takes minutes; its short form: test/journeys/demo.test.ts',
  'docker compose up': 'no containers here; test/set-up/compose.test.ts validates the file against its schema',
};
