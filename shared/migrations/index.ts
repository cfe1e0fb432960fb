/** Changes of stored records that code alone can not make, in the order they run. None is ever changed or removed. */
import { begin } from '../domain/events/relay.ts';
import type { Step } from '../migrate.ts';
import { countAll, fillWords } from './words.ts';

export const migrations: Step[] = [
  { name: '2026-11-21-relay-begins', up: begin },
  { name: '2026-11-22-words-are-filled', up: fillWords },
  { name: '2026-11-22-conversations-are-counted', up: countAll },
];
