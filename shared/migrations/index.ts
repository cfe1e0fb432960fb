/** All migrations, in the order in which they run. Never change or remove a released migration. */
import type { MigrationStep } from './migrate.ts';
import { initRelay } from '../domain/events/relay-lease.ts';
import { countConversations, removeCounters } from './count-conversations.ts';
import { fillKeywords, removeKeywords } from './fill-keywords.ts';
import { markUnclusteredQuestions, unmarkUnclusteredQuestions } from './mark-unclustered-questions.ts';
import { fillVocabulary, removeVocabularies } from './fill-vocabulary.ts';

export const migrations: MigrationStep[] = [
  { name: '2026-11-21-initialise-relay', up: initRelay },
  { name: '2026-11-22-fill-keywords', up: fillKeywords, down: removeKeywords },
  { name: '2026-11-22-count-conversations', up: countConversations, down: removeCounters },
  {
    name: '2026-11-26-mark-unclustered-questions',
    up: markUnclusteredQuestions,
    down: unmarkUnclusteredQuestions,
  },
  { name: '2026-11-26-fill-vocabulary', up: fillVocabulary, down: removeVocabularies },
];
