/** Imports the modules that the API imports at startup, and starts nothing. */
import { flushCompileCache } from 'node:module';

await Promise.all([import('#shared/domain/access/address-proof.ts'), import('../../../api/server.ts')]);
flushCompileCache();
process.send?.({ port: 0 });
