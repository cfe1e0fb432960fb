/** Everything served beside the API. */
import { account } from './account.ts';
import { docs } from './docs.ts';
import { health } from './health.ts';
import { landing } from './landing.ts';
import { metrics } from './metrics.ts';
import type { Page } from './page.ts';

export const pages: Page[] = [...landing, ...account, ...docs, ...health, metrics];
