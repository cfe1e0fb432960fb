/** `npm run cli -- kb eval`: measures the quality of a knowledge base, and compares it with the last measurement. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { config } from '#shared/config.ts';
import { evaluate } from '#shared/domain/knowledge/evaluation/evaluate.ts';
import { type Figures, figuresByKind } from '#shared/domain/knowledge/evaluation/figures.ts';
import { parseQuestions } from '#shared/domain/knowledge/evaluation/question-file.ts';
import { nameOf } from '#shared/domain/knowledge/namespaces.ts';
import { AppError } from '#shared/errors.ts';
import { formatTable } from './print.ts';
import { progressPrinter } from './progress.ts';

/** The options of the command. */
export interface EvaluationSelection {
  project: string;
  namespace?: string;
  topK: number;
  alpha?: number;
}

interface SavedRun {
  date: string;
  figures: Record<string, Figures>;
}

/** The measured values (see figures.ts), in the order of the printed table, with their labels. */
const FIGURE_LABELS: [keyof Figures, string][] = [
  ['answerable', 'answerable questions'],
  ['unanswerable', 'unanswerable questions'],
  ['recall1', 'recall@1'],
  ['recall5', 'recall@5'],
  ['mrr', 'MRR'],
  ['citationPrecision', 'citation precision'],
  ['citationRecall', 'citation recall'],
  ['factInAnswer', 'fact in the answer'],
  ['factInChunks', 'fact in the chunks'],
  ['falseRefusals', 'false refusals'],
  ['refused', 'unanswerable refused'],
  ['refusedNear', 'unanswerable refused (related subject)'],
  ['msMedian', 'latency, median (ms)'],
  ['ms95', 'latency, 95th percentile (ms)'],
];
const COUNTS = new Set<keyof Figures>(['answerable', 'unanswerable', 'msMedian', 'ms95']);

const formatFigure = (name: keyof Figures, value: number | null | undefined): string => {
  if (value === null || value === undefined) return '-';
  return COUNTS.has(name) ? value.toFixed(0) : value.toFixed(3);
};

const readQuestions = async (file: string) => {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new AppError(400, 'INVALID_QUESTIONS', `${file} cannot be read (${error.message}).`);
  });
  return parseQuestions(text, file);
};

/** Returns the path of the saved figures of the last run for this namespace and a question file of this name. */
const lastRunFile = (file: string, namespace: string): string => {
  const hash = createHash('sha256')
    .update(`${namespace}/${basename(file)}`)
    .digest('hex')
    .slice(0, 16);
  return join(config.DATA_DIR, 'evaluations', `${hash}.json`);
};

const readLastRun = async (file: string): Promise<SavedRun | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text ? (JSON.parse(text) as SavedRun) : undefined;
};

const toTable = (figures: Record<string, Figures>, last: SavedRun | undefined): string => {
  const groups = Object.keys(figures);
  const header = ['', ...groups.flatMap((group) => (last ? [`${group}, before`, group] : [group]))];
  const rows = FIGURE_LABELS.map(([name, label]) => [
    label,
    ...groups.flatMap((group) => {
      const current = formatFigure(name, figures[group]?.[name]);
      return last ? [formatFigure(name, last.figures[group]?.[name]), current] : [current];
    }),
  ]);
  return formatTable([header, ...rows]);
};

/** Asks all questions in a file, prints the figures next to those of the last run, and saves them. */
export const evaluateFile = async (file: string, selection: EvaluationSelection): Promise<void> => {
  const { project, namespace = project, topK, alpha } = selection;
  const questions = await readQuestions(file);
  if (!(await nameOf(project, namespace)))
    throw new AppError(
      404,
      'NOT_FOUND',
      `Project ${project} has no namespace ${namespace}; check --project and --namespace.`,
    );
  const printProgress = progressPrinter(basename(file));
  const onProgress = (done: number) => printProgress({ done, total: questions.length });
  const results = await evaluate({ id_project: project, namespace }, questions, { topK, alpha, onProgress });
  const figures = figuresByKind(results);
  const saved = lastRunFile(file, namespace);
  const last = await readLastRun(saved);
  console.log(`\n${toTable(figures, last)}`);
  console.log(last ? `\nBefore: the run of ${last.date}.` : '\nThere is no earlier run to compare with.');
  await mkdir(join(config.DATA_DIR, 'evaluations'), { recursive: true });
  await writeFile(saved, JSON.stringify({ date: new Date().toISOString(), figures } satisfies SavedRun));
};
