/** Maps knowledge-base events to activities. */
import type { LoggedEvent } from '../events/logged-event.ts';
import { type ActivityDraft, pickFields } from './activity-draft.ts';

const NAMESPACE_FIELDS = ['id', 'name', 'hybrid', 'default'];
const CONTENT_FIELDS = ['_id', 'name', 'source', 'type', 'namespace'];

const namespaceDraft = (verb: string, { payload }: LoggedEvent): ActivityDraft => ({
  verb,
  target: { type: 'kb_namespace', id: String(payload.id), object: pickFields(payload, NAMESPACE_FIELDS) },
  actionObj: { namespaceName: payload.name, ...pickFields(payload, ['hybrid', 'default']) },
});

const contentDeletionDraft = ({ payload, record }: LoggedEvent): ActivityDraft => ({
  verb: 'KB_CONTENT_DELETE',
  target: { type: 'kb_content', id: record, object: pickFields(payload, CONTENT_FIELDS) },
  actionObj: { ...pickFields(payload, ['name', 'source', 'type']), namespaceId: payload.namespace },
});

/** The mappers by event name. */
export const knowledgeActivities: Record<string, (event: LoggedEvent) => ActivityDraft | null> = {
  'kb.namespace.create': (event) => namespaceDraft('KB_NAMESPACE_CREATE', event),
  'kb.namespace.delete': (event) => namespaceDraft('KB_NAMESPACE_DELETE', event),
  'kb.content.delete': contentDeletionDraft,
};
