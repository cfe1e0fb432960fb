/** The health checks: `/health/live` and `/health/ready`. */
import { type Page, toJson } from './page.ts';
import { checkReadiness, isReadinessOff } from './readiness.ts';

const READINESS_CACHE_MS = 500;
let cachedReadiness: { at: number; result: ReturnType<typeof checkReadiness> } | undefined;

/** Runs the readiness checks at most twice a second. Other calls get the last result. */
const currentReadiness = () => {
  // If the host's clock jumped back, an old result would be used for too long; `performance.now` never jumps back.
  const now = performance.now();
  if (!cachedReadiness || now - cachedReadiness.at > READINESS_CACHE_MS)
    cachedReadiness = { at: now, result: checkReadiness() };
  return cachedReadiness.result;
};

/** Liveness (the process responds) and readiness (its dependencies work; 503 if one does not). */
export const healthPages: Page[] = [
  { path: '/health/live', type: 'json', render: () => ({ body: toJson({ status: 'ok' }) }) },
  {
    path: '/health/ready',
    type: 'json',
    render: async () => {
      if (isReadinessOff()) return { status: 503, body: toJson({ status: 'stopping' }) };
      const readiness = await currentReadiness();
      return { status: readiness.status === 'ok' ? 200 : 503, body: toJson(readiness) };
    },
  },
];
