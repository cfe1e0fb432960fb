/** Checks of knowledge bases and subscriptions. */
import { countUnindexedChunks } from '../domain/knowledge/indexing/compare-index.ts';
import { findOutdatedNamespaces } from '../domain/knowledge/indexing/index-registry.ts';
import { isGlobal } from '../domain/webhooks/active-subscription.ts';
import { FAILING_ADVICE_PATTERN } from '../domain/webhooks/disable-subscription.ts';
import { formatCount } from '../format-count.ts';
import { CONTENT_STATUS, KbContent } from '../models/kb-content.ts';
import { Subscription } from '../models/subscription.ts';
import { type Check, error, type Finding, warning } from './check.ts';

const MAX_REASONS = 10;
const allProjects = { anyProject: true };

const checkFailedContents = async (): Promise<Finding[]> => {
  const groups = await KbContent.aggregate<{ _id: string; count: number; id: unknown; hint?: string }>([
    { $match: { status: CONTENT_STATUS.failed, 'error.code': { $gt: '' } } },
    { $group: { _id: '$error.code', count: { $sum: 1 }, id: { $first: '$_id' }, hint: { $first: '$error.hint' } } },
    { $sort: { count: -1 } },
    { $limit: MAX_REASONS },
  ]).option(allProjects);
  return groups.map(({ _id, count, id, hint }) =>
    warning(
      `${formatCount(count, 'content')} failed with ${_id}${hint ? ` (${hint})` : ''}`,
      `npm run cli -- kb why ${String(id)}`,
    ),
  );
};

const checkNamespaces = async (): Promise<Finding[]> => {
  const outdated = await findOutdatedNamespaces();
  if (!outdated.length) return [];
  return [
    warning(
      `The index in use lacks ${formatCount(outdated.length, 'knowledge base')}`,
      'A sweep in the maintenance queue rebuilds them. To rebuild them now: npm run cli -- kb rebuild',
    ),
  ];
};

const checkIndex = async (): Promise<Finding[]> => {
  const differences = await countUnindexedChunks();
  return differences.map(({ id_project, namespace, missing, superfluous }) =>
    error(
      `The index of the knowledge base ${namespace} lacks ${formatCount(missing, 'chunk')} and still contains ${formatCount(superfluous, 'deleted chunk')}`,
      `npm run cli -- kb rebuild --project ${id_project} --namespace ${namespace}`,
    ),
  );
};

const checkSubscriptions = async (): Promise<Finding[]> => {
  const disabled = await Subscription.find({ enabled: false }, null, allProjects).limit(MAX_REASONS).lean();
  return disabled.map((subscription) => {
    const { _id, id_project, disabled_reason } = subscription;
    const [name, path] = isGlobal(subscription)
      ? [`global subscription ${String(_id)}`, '/v3/subscriptions']
      : [`subscription ${String(_id)} of project ${id_project}`, `/v3/${id_project}/subscriptions`];
    const reason = disabled_reason?.replace(FAILING_ADVICE_PATTERN, '') ?? 'its owner has disabled it';
    return warning(
      `The ${name} is disabled: ${reason}`,
      `Once the receiver works: PUT ${path}/${String(_id)} with {"enabled":true}, then npm run cli -- webhooks replay ${id_project} ${String(_id)} --failed`,
    );
  });
};

export const contentChecks: Check[] = [
  { name: 'failed contents', needs: ['mongodb'], run: checkFailedContents },
  { name: 'knowledge bases', needs: ['mongodb', 'vectors'], run: checkNamespaces },
  { name: 'index', needs: ['mongodb', 'vectors'], isSlow: true, run: checkIndex },
  { name: 'subscriptions', needs: ['mongodb'], run: checkSubscriptions },
];
