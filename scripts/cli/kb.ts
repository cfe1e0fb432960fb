/** `npm run cli -- kb …` */
import { type Command, InvalidArgumentError } from 'commander';
import {
  currentIndexId,
  findOutdatedNamespaces,
  findNamespacesWithChunks,
  rebuildNamespace,
} from '#shared/domain/knowledge/indexing/index-registry.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { AppError } from '#shared/errors.ts';
import { formatCount } from '#shared/format-count.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { withMongoAndIndex } from './connections.ts';
import { type EvaluationSelection, evaluateFile } from './kb-eval.ts';
import { addStoreCommand } from './kb-store.ts';
import { addWhyCommand } from './kb-why.ts';
import { formatTable } from './print.ts';

interface NamespaceSelection {
  project?: string;
  namespace?: string;
}

const allProjects = { anyProject: true };

const filterOf = ({ project, namespace }: NamespaceSelection) => ({
  ...(project ? { id_project: project } : {}),
  ...(namespace ? { namespace } : {}),
});

const modelName = (): string => embedder()?.name ?? 'none, full text only';

const selectPopulated = async ({ project, namespace }: NamespaceSelection) => {
  const all = await findNamespacesWithChunks();
  const found = all.filter(
    (each) => each.id_project === (project ?? each.id_project) && each.id === (namespace ?? each.id),
  );
  if (!found.length && (project || namespace))
    throw new AppError(404, 'NOT_FOUND', 'No namespace with these ids has chunks; check --project and --namespace.');
  return found;
};

const rebuildIndex = async (selection: NamespaceSelection): Promise<void> => {
  const namespaces = await selectPopulated(selection);
  console.log(`Index    ${chunkIndex().type}\nVectors  ${modelName()}`);
  let chunks = 0;
  for (const each of namespaces) {
    const written = await rebuildNamespace(each);
    chunks += written;
    console.log(`project ${each.id_project}  namespace ${each.id}  ${formatCount(written, 'chunk')}`);
  }
  console.log(`${formatCount(namespaces.length, 'namespace')}, ${formatCount(chunks, 'chunk')}, no embedding calls.`);
};

const countByStatus = async (selection: NamespaceSelection): Promise<(string | number)[][]> => {
  const groups = await KbContent.aggregate<{ _id: number; count: number }>([
    { $match: filterOf(selection) },
    { $group: { _id: '$status', count: { $sum: 1 } } },
  ]).option(allProjects);
  const counts = new Map(groups.map(({ _id, count }) => [_id, count]));
  return Object.entries(CONTENT_STATUS).map(([name, status]) => [name, status, counts.get(status) ?? 0]);
};

const printStatus = async (selection: NamespaceSelection): Promise<void> => {
  const filter = filterOf(selection);
  const chunks = await KbChunk.countDocuments(filter, allProjects);
  const model = embedder()?.name ?? null;
  const embedded = await KbChunk.countDocuments(
    { ...filter, $or: [{ model }, { nextModel: model ?? '-' }] },
    allProjects,
  );
  console.log(`${formatTable(await countByStatus(selection))}

Chunks   ${chunks}, ${embedded} with a vector of the current model
Vectors  ${modelName()}
Index    ${chunkIndex().type}, ${await currentIndexId()}
Waiting  ${formatCount((await findOutdatedNamespaces()).length, 'namespace')} in all projects, to be indexed by the next sweep`);
};

/** Returns a parser for an option. The parser throws if the value is not a number in the range. */
const numberOption = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (text.trim() && value >= min && value <= max) return value;
  throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
};

/** Adds the `kb` commands. */
export const addKbCommands = (program: Command): void => {
  const kb = program.command('kb').description('knowledge bases and their index');
  const addCommand = (name: string, description: string) =>
    kb
      .command(name)
      .description(description)
      .option('--project <id>', 'limit to this project')
      .option('--namespace <id>', 'limit to this namespace');
  addCommand('rebuild', 'rebuild the chunk index from MongoDB, without embedding calls').action(
    (selection: NamespaceSelection) => withMongoAndIndex(() => rebuildIndex(selection)),
  );
  addCommand('status', 'count the chunks, count the contents by status, and show the current index').action(
    (selection: NamespaceSelection) => withMongoAndIndex(() => printStatus(selection)),
  );
  addStoreCommand(kb);
  addWhyCommand(kb);
  kb.command('eval <file>')
    .description(
      'ask the questions in a file, and compare recall, citations, refusals and latency with those of the last run',
    )
    .requiredOption('--project <id>', 'the project')
    .option('--namespace <id>', 'the namespace (default: the default namespace of the project)')
    .option('--top-k <number>', 'number of chunks that an answer is based on, from 1 to 50', numberOption(1, 50), 5)
    .option('--alpha <number>', 'weight of the vector score, from 0 to 1', numberOption(0, 1))
    .action((file: string, selection: EvaluationSelection) => withMongoAndIndex(() => evaluateFile(file, selection)));
};
