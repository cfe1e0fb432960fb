/** A project whose records contain a marker, by which leaks into replies to callers of other projects are found. */
import { randomUUID } from 'node:crypto';
import { projectModels } from '#shared/database/collection.ts';
import { User } from '#shared/models/user.ts';
import { changeProject } from '../change-project.ts';
import { databaseDigest } from '../database-digest.ts';
import { createOneOfEach, type RecordIds } from '../foreign-calls.ts';
import { aProject } from '../people.ts';

/** Fields with texts that people write. */
const MARKED_FIELDS =
  /^(text|fullname|first_text|name|label|title|question|answer|description|content|recipientFullname|senderFullname|tag)$/;

type Fields = Record<string, unknown>;

/** The value with the marker in its texts. Dates and ids stay as they are. */
const mark = (value: unknown, marker: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => mark(item, marker));
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'string' && MARKED_FIELDS.test(name) ? `${field} ${marker}` : mark(field, marker),
    ]),
  );
};

/** Marks the records of a project. Returns their number. */
const markRecords = async (id_project: string, marker: string): Promise<number> => {
  let count = 0;
  for (const { collection } of projectModels()) {
    for (const record of await collection.find({ id_project }).toArray()) {
      const marked = mark(record, marker) as Fields;
      if (JSON.stringify(marked) === JSON.stringify(record)) continue;
      count += (await collection.replaceOne({ _id: record._id }, marked)).modifiedCount;
    }
  }
  return count;
};

/** Whether the record, such as an hourly budget, has expired, so that MongoDB may have removed it. */
const hasExpired = (record: string): boolean => {
  const { expiresAt } = JSON.parse(record) as { expiresAt?: string };
  return expiresAt !== undefined && new Date(expiresAt) <= new Date();
};

const recordsOf = async (id_project: string): Promise<Set<string>> =>
  new Set((JSON.parse(await databaseDigest(id_project)) as unknown[]).map((record) => JSON.stringify(record)));

/** A project with one record of each kind. */
export interface MarkedProject {
  project: string;
  ids: RecordIds;
  /** The number of records that contain the marker. */
  markedCount: number;
  /** The occurrences of the marker, and of ids of the project, its records and its team, in a text. */
  secretsIn(text: string): string[];
  /** The records that were created, changed or deleted since the previous call to this function, or since the start. */
  changedRecords(): Promise<string[]>;
}

/** Creates a project with one record of each kind, and marks all texts of its records and its team. */
export const aMarkedProject = async (): Promise<MarkedProject> => {
  const fixture = await aProject();
  const { id } = fixture.project;
  const ids = await createOneOfEach(fixture);
  const marker = `marked-${randomUUID()}`;
  const team = [fixture.owner, fixture.admin, fixture.agent];
  await changeProject(id, { $set: { name: `Project ${marker}` } });
  await User.updateMany({ _id: { $in: team.map((person) => person.id) } }, { $set: { firstname: marker } });
  const markedCount = await markRecords(id, marker);
  const knownIds = [...new Set([id, ...Object.values(ids), ...team.map((person) => person.id)])];
  const secrets = new RegExp([marker, ...knownIds].join('|'), 'g');
  let before = await recordsOf(id);
  return {
    project: id,
    ids,
    markedCount,
    secretsIn: (text) => text.match(secrets) ?? [],
    changedRecords: async () => {
      const after = await recordsOf(id);
      const changed = [...before.symmetricDifference(after)].filter((record) => !hasExpired(record));
      before = after;
      return changed;
    },
  };
};
