/** All imported collections, in the order of their import: records follow those to which they refer. */
import type { ImportTable } from '../import-table.ts';
import { users } from './accounts.ts';
import { activities } from './activities.ts';
import { bots } from './bots.ts';
import { cannedResponses } from './canned-responses.ts';
import { contents } from './contents.ts';
import { conversations } from './conversations.ts';
import { customEvents } from './custom-events.ts';
import { departments } from './departments.ts';
import { groups } from './groups.ts';
import { integrations } from './integrations.ts';
import { intents } from './intents.ts';
import { invitations } from './invitations.ts';
import { labels } from './labels.ts';
import { leads } from './leads.ts';
import { memberships } from './memberships.ts';
import { messages } from './messages.ts';
import { namespaces } from './namespaces.ts';
import { projects } from './projects.ts';
import { properties } from './properties.ts';
import { answeredQuestions, unansweredQuestions } from './questions.ts';
import { segments } from './segments.ts';
import { subscriptions } from './subscriptions.ts';
import { tags } from './tags.ts';
import { triggers } from './triggers.ts';

export const importTables: readonly ImportTable[] = [
  ...[users, projects, memberships, invitations, groups, bots, intents, departments],
  ...[integrations, subscriptions, triggers, namespaces, contents, unansweredQuestions, answeredQuestions],
  ...[leads, properties, segments, tags, cannedResponses, labels],
  // Conversations are imported after their messages, so that none is assigned or closed without its messages.
  ...[messages, conversations, customEvents, activities],
];
