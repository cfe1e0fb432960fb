/** What is done with knowledge bases (contract b 12.3, d D.3). */
import { type Deed, pick, type Told } from './told.ts';

const NAMESPACE = ['id', 'name', 'hybrid', 'default'];
const CONTENT = ['_id', 'name', 'source', 'type', 'namespace'];

const namespace = (verb: string, { payload }: Told): Deed => ({
  verb,
  target: { type: 'kb_namespace', id: String(payload.id), object: pick(payload, NAMESPACE) },
  actionObj: { namespaceName: payload.name, ...pick(payload, ['hybrid', 'default']) },
});

const removed = ({ payload, record }: Told): Deed => ({
  verb: 'KB_CONTENT_DELETE',
  target: { type: 'kb_content', id: record, object: pick(payload, CONTENT) },
  actionObj: { ...pick(payload, ['name', 'source', 'type']), namespaceId: payload.namespace },
});

/** By event. */
export const knowledgeDeeds: Record<string, (told: Told) => Deed | null> = {
  'kb.namespace.create': (told) => namespace('KB_NAMESPACE_CREATE', told),
  'kb.namespace.delete': (told) => namespace('KB_NAMESPACE_DELETE', told),
  'kb.content.delete': removed,
};
