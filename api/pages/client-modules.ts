/** The modules of the API client (`client/`), which pages import. */
import { assetPage, type Page } from './page.ts';

const MODULES = ['api-error.ts', 'call.ts', 'changes.ts', 'client.ts', 'pages.ts', 'send.ts'];

/** The modules at `/assets/client/`. */
export const clientModules: Page[] = MODULES.map((name) =>
  assetPage(`/assets/client/${name}`, new URL(`../../client/${name}`, import.meta.url)),
);
