import { json, type Page } from './page.ts';
import { readiness } from './readiness.ts';

const HOLD_MS = 500;
let latest: { at: number; answer: ReturnType<typeof readiness> } | undefined;

/** However many ask at once, the parts are tried twice a second at most. */
const recentReadiness = () => {
  if (!latest || Date.now() - latest.at > HOLD_MS) latest = { at: Date.now(), answer: readiness() };
  return latest.answer;
};

/** For probes: the process answers; the process can do its work. */
export const health: Page[] = [
  { path: '/health/live', type: 'json', render: () => ({ body: json({ status: 'ok' }) }) },
  {
    path: '/health/ready',
    type: 'json',
    render: async () => {
      const answer = await recentReadiness();
      return { status: answer.status === 'ok' ? 200 : 503, body: json(answer) };
    },
  },
];
