/** `npm run cli -- kb why` */
import type { Command } from 'commander';
import * as imports from '#shared/domain/knowledge/imports.ts';
import { readTimeline } from '#shared/domain/knowledge/read-timeline.ts';
import { notFound } from '#shared/errors.ts';
import { formatCount } from '#shared/format-count.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { KbImport } from '#shared/models/kb-import.ts';
import { isId } from '#shared/wire/view.ts';
import { withMongo } from './connections.ts';
import { formatTable, printable } from './print.ts';

const allProjects = { anyProject: true };
const MAX_CONTENTS = 10;

const statusName = (status: number): string =>
  Object.entries(CONTENT_STATUS).find(([, value]) => value === status)?.[0] ?? 'unknown';

interface Reason {
  code?: string;
  message?: string;
  hint?: string | null;
  next_attempt_at?: Date;
}

const reasonLines = ({ code, message, hint, next_attempt_at }: Reason): string[] => [
  `Reason   ${code}: ${printable(message ?? '')}`,
  ...(hint ? [`Hint     ${hint}`] : []),
  ...(next_attempt_at ? [`Next     ${next_attempt_at.toISOString()}`] : []),
];

type Attempt = Awaited<ReturnType<typeof readTimeline>>['attempts'][number];

const stagesOf = ({ stages }: Attempt): string =>
  stages
    .map(({ stage, ms, bytes }: { stage: string; ms?: number; bytes?: number }) =>
      [stage, ms === undefined ? '' : `${ms} ms`, bytes === undefined ? '' : `${bytes} bytes`]
        .filter(Boolean)
        .join(' '),
    )
    .join(', ');

const attemptRow = (attempt: Attempt): (string | number)[] => {
  const { started_at, outcome, ms } = attempt;
  return [
    started_at.toISOString(),
    outcome,
    `${ms} ms`,
    stagesOf(attempt),
    'code' in attempt ? (attempt.code ?? '') : '',
  ];
};

const printContent = async (id_project: string, id: string): Promise<void> => {
  const { content, attempts } = await readTimeline(id_project, id);
  const { type, source, namespace, status, waiting, error } = content;
  const reason = (waiting ?? (status === CONTENT_STATUS.failed ? error : undefined)) as Reason | undefined;
  console.log(
    [
      `Content  ${id}  ${type}  ${printable(source)}`,
      `Project  ${id_project}  namespace ${namespace}`,
      `Status   ${status} ${statusName(status)}`,
      ...(reason ? reasonLines(reason) : []),
      '',
      attempts.length ? formatTable(attempts.map(attemptRow)) : 'No attempt has been made yet.',
    ].join('\n'),
  );
};

const printImport = async (id_project: string, id: string): Promise<void> => {
  const found = await imports.find(id_project, id);
  const { type, namespace, total, queued, fetching, indexing, indexed, failed, finished_at } = found;
  const done = indexed + failed;
  console.log(
    [
      `Import   ${id}  ${type}  ${formatCount(total, 'content')}`,
      `Project  ${id_project}  namespace ${namespace}`,
      `Done     ${done} of ${total} (${total ? Math.floor((done / total) * 100) : 100}%)${finished_at ? `, finished ${finished_at.toISOString()}` : ''}`,
      '',
      formatTable(Object.entries({ queued, fetching, indexing, indexed, failed })),
      ...found.reasons.map(
        ({ status, code, count, hint, example }) =>
          `\n${count} ${statusName(status)}: ${code}, for example ${printable(example)}${hint ? `\n  ${hint}` : ''}`,
      ),
    ].join('\n'),
  );
};

const why = async (subject: string): Promise<void> => {
  const filter = isId(subject) ? { _id: subject } : { source: subject };
  const contents = await KbContent.find(filter, { id_project: 1 }, allProjects).limit(MAX_CONTENTS).lean();
  for (const [index, { _id, id_project }] of contents.entries()) {
    if (index) console.log('');
    await printContent(id_project, String(_id));
  }
  if (contents.length) return;
  const found = isId(subject) ? await KbImport.findOne({ _id: subject }, { id_project: 1 }, allProjects).lean() : null;
  if (!found)
    throw notFound(
      `No content or import has the id or source ${subject}. Contents are listed by GET /v3/:project_id/kb.`,
    );
  await printImport(found.id_project, subject);
};

/** Adds the command `kb why`. */
export const addWhyCommand = (kb: Command): void => {
  kb.command('why')
    .argument('<id>', 'the id or the source of a content, or the id of an import')
    .description('show the attempts to index a content, or the progress of an import, with the reasons for failures')
    .action((subject: string) => withMongo(() => why(subject)));
};
