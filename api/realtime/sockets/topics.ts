/** The topics of sockets: `/<project>/<key>`. */
import { isTeam } from '#shared/domain/conversations/conversation.ts';
import { isId } from '#shared/wire/view.ts';
import { type Actor, hasRole } from '../../http/auth/authenticate.ts';

/** What a topic covers. */
export type TopicKind =
  | 'requests'
  | 'request'
  | 'messages'
  | 'typing'
  | 'project_user'
  | 'project_user_by_user'
  | 'events'
  | 'bot'
  | 'changes';

/** A topic. `key` is its text without the project. `id` identifies the record; `name` is the name of a custom event. */
export interface Topic {
  text: string;
  project: string;
  key: string;
  kind: TopicKind;
  id: string;
  name?: string;
}

type TopicTarget = Pick<Topic, 'kind' | 'id' | 'name'>;

const requestTarget = (rest: string): TopicTarget => {
  const [, id = rest, part] = /^(.*)\/(messages|typing)$/.exec(rest) ?? [];
  return { kind: (part as 'messages' | 'typing' | undefined) ?? 'request', id };
};

const memberTarget = (rest: string): TopicTarget =>
  rest.startsWith('users/')
    ? { kind: 'project_user_by_user', id: rest.slice('users/'.length) }
    : { kind: 'project_user', id: rest };

const eventsTarget = (rest: string): TopicTarget => {
  const [, id = '', name] = /^([^/]*)(?:\/(.+))?$/.exec(rest) ?? [];
  return { kind: 'events', id, ...(name ? { name } : {}) };
};

const targets: Record<string, (rest: string) => TopicTarget> = {
  requests: (rest) => (rest ? requestTarget(rest) : { kind: 'requests', id: '*' }),
  project_users: memberTarget,
  events: eventsTarget,
  bots: (id) => ({ kind: 'bot', id }),
  changes: (event) => ({ kind: 'changes', id: event || '*' }),
};

/** Parses a topic. Returns null for an unknown topic. */
export const parseTopic = (text: string): Topic | null => {
  const [, project = '', key = '', resource = '', rest = ''] = /^\/([^/]+)\/(([a-z_]+)(?:\/(.+))?)$/.exec(text) ?? [];
  const target = isId(project) ? targets[resource]?.(rest) : undefined;
  return target?.id ? { text, project, key, ...target } : null;
};

/** Topics that visitors may follow. On these, a visitor receives only frames about the visitor's own conversations. */
const KINDS_OPEN_TO_VISITORS = new Set<TopicKind>(['requests', 'request', 'messages', 'typing', 'changes']);

/**
 * Whether an actor may follow a topic. Topics of conversations are open to every member, because access to the
 * conversation is checked for each frame. Topics of bots are open only to admins and programs, because a bot contains
 * fields that other members may not read.
 */
export const mayFollow = (actor: Actor, { kind, id }: Topic): boolean => {
  if (KINDS_OPEN_TO_VISITORS.has(kind)) return true;
  if (!isTeam(actor)) return false;
  if (kind === 'project_user') return actor.membership === id;
  if (kind === 'bot') return actor.kind !== 'user' || hasRole(actor.role, 'admin');
  return true;
};
