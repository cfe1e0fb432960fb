/** Changes of stored records that code alone can not make, in the order they run. None is ever changed or removed. */
import type { Step } from '../migrate.ts';

export const migrations: Step[] = [];
