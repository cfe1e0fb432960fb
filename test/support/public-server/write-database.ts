/**
 * Writes a database as the public server (the system from which `import` copies a database) would have written it: the
 * documents of projects with their teams, bots, knowledge bases and conversations. The same parameters give the same
 * conversations and messages.
 */
import { mongo } from 'mongoose';
import { catalogueOf } from './catalogues.ts';
import { type ConversationSeed, conversationOf } from './conversations.ts';
import { type Documents, nextId, restartIds } from './documents.ts';
import { addFaulty, type FaultyDocument, faultyDocuments } from './faulty-documents.ts';
import { projectWithTeam } from './team.ts';
import { type SourceFile, writeFiles } from './files.ts';

const CONVERSATIONS_PER_WRITE = 500;

interface DatabaseSize {
  projects: number;
  /** The number of conversations of each project. */
  requests: number;
  messagesEach: number;
  /** The length, in days, of the period over which the conversations are spread. */
  days: number;
  /** Four hexadecimal digits that are part of each id and of the email address of each account. */
  prefix: string;
  now: number;
}

const writeAll = async (database: mongo.Db, documents: Documents): Promise<void> => {
  for (const [name, written] of Object.entries(documents))
    if (written.length) await database.collection(name).insertMany(written as mongo.OptionalId<mongo.Document>[]);
};

const writeConversations = async (database: mongo.Db, seed: ConversationSeed): Promise<void> => {
  for (let first = 0; first < seed.requests; first += CONVERSATIONS_PER_WRITE) {
    const count = Math.min(CONVERSATIONS_PER_WRITE, seed.requests - first);
    const written = Array.from({ length: count }, (_, index) => conversationOf(seed, first + index));
    await writeAll(database, {
      requests: written.map(({ request }) => request),
      messages: written.flatMap(({ messages }) => messages),
      leads: written.flatMap(({ visitor }) => visitor?.lead ?? []),
      project_users: written.flatMap(({ visitor }) => visitor?.member ?? []),
    });
  }
};

/** A project in the database. */
export interface WrittenProject {
  seed: ConversationSeed;
  faulty: FaultyDocument[];
  files: SourceFile[];
}

const writeProject = async (database: mongo.Db, number: number, size: DatabaseSize): Promise<WrittenProject> => {
  const bot = nextId();
  const team = projectWithTeam(`${size.prefix}-${number}`, bot);
  const seed = { team, bot, projectNumber: number, ...size };
  const faulty = faultyDocuments(team, conversationOf(seed, 0));
  const documents: Documents = {
    ...catalogueOf(team.id_project, { bot, now: size.now }),
    users: team.people,
    projects: [team.project],
    project_users: team.members,
    groups: team.groups,
    departments: team.departments,
    pending_invitations: team.invitations,
  };
  addFaulty(documents, faulty);
  await writeAll(database, documents);
  await writeConversations(database, seed);
  return { seed, faulty, files: await writeFiles(database, team.id_project, team.owner._id) };
};

/** Writes a database and returns its projects. */
export const writePublicServerDatabase = async (uri: string, size: DatabaseSize): Promise<WrittenProject[]> => {
  restartIds(size.prefix);
  const client = await new mongo.MongoClient(uri, { ignoreUndefined: true }).connect();
  try {
    const projects: WrittenProject[] = [];
    for (let number = 0; number < size.projects; number += 1)
      projects.push(await writeProject(client.db(), number, size));
    return projects;
  } finally {
    await client.close();
  }
};

/** Returns a hash of all documents in a database. Any write changes the hash. */
export const digestOf = async (uri: string): Promise<string> => {
  const client = await new mongo.MongoClient(uri).connect();
  try {
    const { md5 } = (await client.db().command({ dbHash: 1 })) as { md5: string };
    return md5;
  } finally {
    await client.close();
  }
};

/** Deletes a database. */
export const dropDatabase = async (uri: string): Promise<void> => {
  const client = await new mongo.MongoClient(uri).connect();
  await client.db().dropDatabase();
  await client.close();
};
