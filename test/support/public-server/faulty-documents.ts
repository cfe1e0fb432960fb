/** Documents that cannot be imported, each with the reason that the report must give. */
import { document, nextId, times, type Document, type Documents } from './documents.ts';
import type { ConversationDocuments } from './conversations.ts';
import type { Team } from './team.ts';

/** A faulty document, and a part of the reason for its rejection. */
export interface FaultyDocument {
  collection: string;
  document: Document;
  reason: string;
}

/** Faulty documents of a project, made from one of its conversations. */
export const faultyDocuments = (
  { id_project }: Team,
  { request, messages: [message], visitor }: ConversationDocuments,
): FaultyDocument[] => {
  const now = Date.now();
  const removed = String(nextId(now));
  return [
    { collection: 'users', document: { _id: nextId(now), password: '$2a$10$x', ...times(now) }, reason: 'email' },
    {
      collection: 'leads',
      document: { ...visitor?.lead, _id: nextId(now) },
      reason: 'id_project and lead_id: same as in record',
    },
    { collection: 'messages', document: { ...message, _id: nextId(now), sender: undefined }, reason: 'sender' },
    {
      collection: 'messages',
      document: { ...message, _id: nextId(now), id_project: removed },
      reason: 'the project does not exist',
    },
    {
      collection: 'requests',
      document: { ...request, _id: nextId(now), request_id: 'malformed', department: 'sales' },
      reason: 'department: must be an id of 24 hexadecimal digits',
    },
    {
      collection: 'requests',
      document: { ...request, _id: nextId(now), request_id: 'future', status: 7 },
      reason: 'status: must be one of 50, 100, 150, 200, 1000',
    },
    { collection: 'tags', document: document(id_project, { color: '#fff' }, now), reason: 'tag' },
  ];
};

/** Adds faulty documents to the documents of a database. */
export const addFaulty = (documents: Documents, faulty: FaultyDocument[]): void => {
  for (const { collection, document: added } of faulty)
    documents[collection] = [...(documents[collection] ?? []), added];
};
