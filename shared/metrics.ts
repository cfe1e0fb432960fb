/**
 * The metrics that code in any layer updates. They are kept in the memory of the process; an update sends no command to
 * a database.
 */
import { Counter, Histogram } from 'prom-client';

/** `result` is `done` or `failed`. */
const jobDuration = new Histogram({
  name: 'job_duration_seconds',
  help: 'Duration of jobs',
  labelNames: ['job', 'result'],
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120],
});

/** Runs a job and records its duration and result. */
export const measureJob = async (job: string, work: () => Promise<void>): Promise<void> => {
  const started = performance.now();
  const observe = (result: string): void => jobDuration.observe({ job, result }, (performance.now() - started) / 1000);
  try {
    await work();
    observe('done');
  } catch (error) {
    observe('failed');
    throw error;
  }
};

/**
 * `result`: `indexed` (unchanged contents included), `retry` (failed, to be tried again), `failed` (for good),
 * `waiting` for a busy host, `aborted` (the worker stopped), or `overtaken` by another attempt, a change or a deletion.
 */
export const indexingAttempts = new Counter({
  name: 'kb_attempts_total',
  help: 'Attempts to index a content, by result',
  labelNames: ['result'],
});

/** `outcome`: `accepted`, `failed`, or `disabled` if the attempt disabled its subscription. */
export const webhookAttempts = new Counter({
  name: 'webhook_attempts_total',
  help: 'Attempts to deliver an event to a subscription, by outcome',
  labelNames: ['outcome'],
});

export const webhookDuration = new Histogram({
  name: 'webhook_attempt_duration_seconds',
  help: 'Duration of attempts to deliver an event',
  buckets: [0.05, 0.25, 1, 3, 10],
});

/** `trigger` and `outcome` are those of the routing decision (shared/models/routing-decision.ts). */
export const assignmentDecisions = new Counter({
  name: 'assignment_decisions_total',
  help: 'Decisions on who serves a conversation, by trigger (the cause of the decision) and outcome',
  labelNames: ['trigger', 'outcome'],
});

export const chatTokens = new Counter({
  name: 'ai_tokens_total',
  help: 'Chat model and reranker tokens that the instance pays for',
  labelNames: ['model', 'kind'],
});

export const chatCost = new Counter({
  name: 'ai_cost_total',
  help: 'Cost of the tokens in ai_tokens_total, at the prices and in the currency of AI_PRICES',
  labelNames: ['model'],
});

export const tokenBudgetRejections = new Counter({
  name: 'ai_token_budget_rejections_total',
  help: 'Calls to chat models that were refused because AI_TOKENS_PER_DAY was used up',
});
