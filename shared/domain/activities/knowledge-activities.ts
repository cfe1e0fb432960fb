/** Maps knowledge base events to activities. */
import type { LoggedEvent } from '../events/logged-event.ts';
import { nameOf } from '../knowledge/namespaces.ts';
import { type ActivityDraft, pickFields } from './activity-draft.ts';

const NAMESPACE_FIELDS = ['id', 'name', 'hybrid', 'default'];
const CONTENT_FIELDS = ['_id', 'name', 'source', 'type', 'namespace'];

const namespaceDraft = (verb: string, { payload }: LoggedEvent): ActivityDraft => ({
  verb,
  target: { type: 'kb_namespace', id: String(payload.id), object: pickFields(payload, NAMESPACE_FIELDS) },
  actionObj: { namespaceName: payload.name, ...pickFields(payload, ['hybrid', 'default']) },
});

const namespaceDeletionDraft = (event: LoggedEvent): ActivityDraft => {
  const draft = namespaceDraft('KB_NAMESPACE_DELETE', event);
  return { ...draft, actionObj: { ...draft.actionObj, deletedCount: event.payload.count } };
};

const contentsDraft = (
  verb: string,
  { payload }: LoggedEvent,
  actionObj: ActivityDraft['actionObj'],
): ActivityDraft => {
  const { namespace, namespaceName } = payload;
  return {
    verb,
    target: { type: 'kb_namespace', id: String(namespace), object: { id: namespace, name: namespaceName } },
    actionObj: { ...actionObj, namespaceId: namespace, namespaceName },
  };
};

/** The draft has no namespace name if the namespace was deleted in the meantime. */
const contentDeletionDraft = async ({ id_project, payload, record }: LoggedEvent): Promise<ActivityDraft> => ({
  verb: 'KB_CONTENT_DELETE',
  target: { type: 'kb_content', id: record, object: pickFields(payload, CONTENT_FIELDS) },
  actionObj: {
    ...pickFields(payload, ['name', 'source', 'type']),
    namespaceId: payload.namespace,
    namespaceName: await nameOf(id_project, String(payload.namespace)),
  },
});

/** The mappers by event name. */
export const knowledgeActivities: Record<string, (event: LoggedEvent) => ActivityDraft | Promise<ActivityDraft>> = {
  'kb.namespace.create': (event) => namespaceDraft('KB_NAMESPACE_CREATE', event),
  'kb.namespace.delete': namespaceDeletionDraft,
  'kb.contents.add': (event) =>
    contentsDraft('KB_CONTENTS_ADD', event, pickFields(event.payload, ['contentAddType', 'count', 'type', 'source'])),
  'kb.contents.delete': (event) => {
    const { count: deletedCount, deleteMode } = event.payload;
    return contentsDraft('KB_CONTENTS_DELETE', event, { deletedCount, deleteMode });
  },
  'kb.content.delete': contentDeletionDraft,
};
