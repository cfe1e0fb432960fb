/** Checks of indexes and migrations. */
import { findIndexDifferences } from '../database/indexes.ts';
import { loadModels } from '../database/load-models.ts';
import { migrations } from '../migrations/index.ts';
import { MIGRATION_RECORD_ID } from '../migrations/migrate.ts';
import { Migration } from '../models/migration.ts';
import { type Check, error, type Finding, warning } from './check.ts';

const checkIndexes = async (): Promise<Finding[]> => {
  await loadModels();
  const differences = await findIndexDifferences();
  return differences.flatMap(({ collection, missing, superfluous }) => [
    ...missing.map((fields) =>
      error(
        `The collection ${collection} lacks the index on ${fields}`,
        'Restart one process; it creates the index at start-up.',
      ),
    ),
    ...superfluous.map((name) =>
      warning(
        `The collection ${collection} has the superfluous index ${name}, which slows down writes`,
        `mongosh: db.${collection}.dropIndex('${name}')`,
      ),
    ),
  ]);
};

const checkMigrations = async (): Promise<Finding[]> => {
  const record = await Migration.findOne({ _id: MIGRATION_RECORD_ID }).lean();
  const pending = migrations.map(({ name }) => name).filter((name) => !record?.done.includes(name));
  if (!pending.length) return [];
  return [
    error(
      `Pending migrations: ${pending.join(', ')}`,
      'Restart one process of this version; it runs them at start-up.',
    ),
  ];
};

export const databaseChecks: Check[] = [
  { name: 'indexes', needs: ['mongodb'], run: checkIndexes },
  { name: 'migrations', needs: ['mongodb'], run: checkMigrations },
];
