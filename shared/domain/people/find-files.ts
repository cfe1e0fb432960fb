/** Finds the files of a person. */
import { Message } from '../../models/message.ts';
import { StoredFile } from '../../models/stored-file.ts';
import { requestedPath } from '../files/file-names.ts';
import type { Person } from './person.ts';

/** The projects to search; without `id_project`, all of them. */
type Scope = { id_project?: { $in: string[] } };

const PATH = /uploads(?:\/|%2F)[^"\\\s?&]+/gi;

/** Returns the paths of the files to which the messages of a conversation refer. */
const filePaths = async ({ id_project, request_id }: { id_project: string; request_id: string }): Promise<string[]> => {
  const paths = new Set<string>();
  const messages = Message.find({ id_project, recipient: request_id }, { text: 1, metadata: 1, attributes: 1 });
  for await (const message of messages.lean().cursor())
    for (const [found] of JSON.stringify(message).matchAll(PATH)) {
      const path = requestedPath(found) ?? requestedPath(decodeURIComponent(found));
      if (path) paths.add(path);
    }
  return [...paths];
};

const PATHS_PER_QUERY = 500;

/** Finds the files that the person has uploaded, and the chat files in the person's conversations. */
export const findFiles = async (person: Omit<Person, 'files'>, scope: Scope): Promise<Person['files']> => {
  const authors = [...person.accounts, ...person.visitors];
  const fields = { id_project: 1 } as const;
  const found = await StoredFile.find({ ...scope, createdBy: { $in: authors } }, fields, { anyProject: true }).lean();
  for (const conversation of person.conversations) {
    const paths = await filePaths(conversation);
    for (let start = 0; start < paths.length; start += PATHS_PER_QUERY) {
      const filter = { kind: 'chat' as const, path: { $in: paths.slice(start, start + PATHS_PER_QUERY) } };
      found.push(...(await StoredFile.find({ id_project: conversation.id_project, ...filter }, fields).lean()));
    }
  }
  const unique = new Map(found.map(({ _id, id_project }) => [String(_id), { _id: String(_id), id_project }]));
  return [...unique.values()];
};
