/** `npm run cli -- kb migrate-store` */
import { type Command, Option } from 'commander';
import { migrateStore } from '#shared/domain/knowledge/indexing/migrate-store.ts';
import { AppError } from '#shared/errors.ts';
import { formatCount } from '#shared/format-count.ts';
import { type ChunkIndex, chunkIndex, openLance, openQdrant } from '#shared/vectors/index.ts';
import { withMongoAndIndex } from './connections.ts';
import { progressPrinter } from './progress.ts';

type Target = { to: 'qdrant'; url?: string } | { to: 'lancedb' };

const openTarget = (target: Target): ChunkIndex => {
  if (target.to === 'lancedb') return openLance();
  if (!target.url || !URL.canParse(target.url))
    throw new AppError(
      422,
      'URL_REQUIRED',
      '--url must be the URL of the Qdrant server, such as http://127.0.0.1:6333.',
    );
  return openQdrant(target.url);
};

const nextStep = (target: Target): string =>
  target.to === 'qdrant'
    ? `Set QDRANT_URL=${target.url} and restart all processes.`
    : 'Remove QDRANT_URL and restart all processes.';

const migrate = async (target: Target): Promise<void> => {
  const index = openTarget(target);
  try {
    console.log(`From  ${chunkIndex().type}\nTo    ${index.type}`);
    const { namespaces, chunks, added } = await migrateStore(index, progressPrinter('Chunks'));
    console.log(`
${formatCount(namespaces, 'namespace')}, ${formatCount(chunks, 'chunk')}, ${added} copied now, no embedding calls.
${nextStep(target)} The first sweep will then copy what has changed in the meantime.`);
  } finally {
    await index.close();
  }
};

/** Adds the command `kb migrate-store`. */
export const addStoreCommand = (kb: Command): void => {
  kb.command('migrate-store')
    .description(
      'copy the chunk index to another store while the current one stays in use; run the command again to resume',
    )
    .addOption(new Option('--to <store>', 'the store to copy to').choices(['qdrant', 'lancedb']).makeOptionMandatory())
    .option('--url <url>', 'the URL of the Qdrant server')
    .action((target: Target) => withMongoAndIndex(() => migrate(target)));
};
