/** All pages that are served in addition to the API. */
import { accountPages } from './account-page.ts';
import { clientModules } from './client-modules.ts';
import { dashboardPages } from './dashboard-page.ts';
import { demoPages } from './demo-page.ts';
import { docsPages } from './docs-page.ts';
import { fleetPages } from './fleet-page.ts';
import { healthPages } from './health-page.ts';
import { landingPages } from './landing-page.ts';
import { metricsPage } from './metrics-page.ts';
import type { Page } from './page.ts';

export const pages: Page[] = [
  ...landingPages,
  ...clientModules,
  ...accountPages,
  ...demoPages,
  ...dashboardPages,
  ...docsPages,
  ...fleetPages,
  ...healthPages,
  metricsPage,
];
