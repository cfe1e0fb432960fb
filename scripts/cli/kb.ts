/** `npm run cli -- kb …` */
import type { Command } from 'commander';
import { displaced, inhabited, place, rebuild } from '#shared/domain/knowledge/index-places.ts';
import { embedder } from '#shared/embedding/embedder.ts';
import { AppError } from '#shared/errors.ts';
import { KbChunk } from '#shared/models/kb-chunk.ts';
import { KbContent, STATUS } from '#shared/models/kb-content.ts';
import { chunkIndex } from '#shared/vectors/index.ts';
import { many, table } from './print.ts';
import { withKnowledge } from './services.ts';

interface Chosen {
  project?: string;
  namespace?: string;
}

const everyProject = { anyProject: true };

const filterOf = ({ project, namespace }: Chosen) => ({
  ...(project ? { id_project: project } : {}),
  ...(namespace ? { namespace } : {}),
});

const modelName = (): string => embedder()?.name ?? 'none, full text alone';

const inhabitedBy = async ({ project, namespace }: Chosen) => {
  const all = await inhabited();
  const found = all.filter(
    (each) => each.id_project === (project ?? each.id_project) && each.id === (namespace ?? each.id),
  );
  if (!found.length && (project || namespace)) throw new AppError(404, 'NOT_FOUND', 'No such namespace has passages.');
  return found;
};

const rebuildIndex = async (chosen: Chosen): Promise<void> => {
  const places = await inhabitedBy(chosen);
  console.log(`Index    ${chunkIndex().type}\nVectors  ${modelName()}`);
  let passages = 0;
  for (const each of places) {
    const written = await rebuild(each);
    passages += written;
    console.log(`project ${each.id_project}  namespace ${each.id}  ${many(written, 'passage')}`);
  }
  console.log(`${many(places.length, 'namespace')}, ${many(passages, 'passage')}, no embedding call.`);
};

const statuses = async (chosen: Chosen): Promise<(string | number)[][]> => {
  const groups = await KbContent.aggregate<{ _id: number; count: number }>([
    { $match: filterOf(chosen) },
    { $group: { _id: '$status', count: { $sum: 1 } } },
  ]).option(everyProject);
  const counts = new Map(groups.map(({ _id, count }) => [_id, count]));
  return Object.entries(STATUS).map(([name, status]) => [name, status, counts.get(status) ?? 0]);
};

const status = async (chosen: Chosen): Promise<void> => {
  const filter = filterOf(chosen);
  const passages = await KbChunk.countDocuments(filter, everyProject);
  const embedded = await KbChunk.countDocuments({ ...filter, model: embedder()?.name ?? null }, everyProject);
  console.log(`${table(await statuses(chosen))}

Passages ${passages}, ${embedded} with a vector of the model of now
Vectors  ${modelName()}
Index    ${chunkIndex().type}, ${await place()}
Waiting  ${many((await displaced()).length, 'namespace')} to be filled into this index by the next sweep`);
};

/** What can be asked of and done to knowledge bases. */
export const addKb = (program: Command): void => {
  const kb = program.command('kb').description('knowledge bases');
  const command = (name: string, about: string) =>
    kb
      .command(name)
      .description(about)
      .option('--project <id>', 'of this project alone')
      .option('--namespace <id>', 'of this namespace alone');
  command('rebuild', 'fill the chunk index anew from MongoDB, at no embedding call').action((chosen: Chosen) =>
    withKnowledge(() => rebuildIndex(chosen)),
  );
  command('status', 'count contents by status and passages, and tell which index holds them').action((chosen: Chosen) =>
    withKnowledge(() => status(chosen)),
  );
};
