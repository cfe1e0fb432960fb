/** All imported collections, in the order of their import: records follow those to which they refer. */
import type { ImportTable } from '../import-table.ts';
import { users } from './accounts.ts';
import { bots, intents } from './bots.ts';
import { cannedResponses, labels, tags } from './catalogues.ts';
import { conversations } from './conversations.ts';
import { departments } from './departments.ts';
import { integrations, subscriptions, triggers } from './integrations.ts';
import { answeredQuestions, contents, namespaces, unansweredQuestions } from './knowledge.ts';
import { leads, properties, segments } from './leads.ts';
import { activities, customEvents } from './logs.ts';
import { messages } from './messages.ts';
import { projects } from './projects.ts';
import { groups, invitations, memberships } from './teams.ts';

export const importTables: readonly ImportTable[] = [
  ...[users, projects, memberships, invitations, groups, bots, intents, departments],
  ...[integrations, subscriptions, triggers, namespaces, contents, unansweredQuestions, answeredQuestions],
  ...[leads, properties, segments, tags, cannedResponses, labels],
  // A conversation exists only after its messages, so that it is never assigned or closed without them.
  ...[messages, conversations, customEvents, activities],
];
