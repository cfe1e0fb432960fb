import { expect } from 'chai';
import { Settings } from '#shared/config.ts';
import { cleanEnv } from '../../scripts/test/environment.mjs';

/** The settings that a test run takes from its environment. */
const INHERITED = ['QDRANT_URL', 'QDRANT_API_KEY', 'EMBEDDING_MODEL_FILE', 'INTENT_ENCODER', 'LOG_LEVEL'];

describe('Environment of a test run', () => {
  it('a test run inherits no settings of a real system, except those for models, Qdrant and the log level', () => {
    const settings = Object.keys(Settings.shape).map((name) => [name, 'of a real system'] as const);
    const env = cleanEnv(Object.fromEntries([...settings, ['PATH', '/bin']]));
    expect(Object.keys(env)).to.have.members([...INHERITED, 'PATH']);
  });
});
