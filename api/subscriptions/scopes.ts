/** The owners of subscriptions: a project or, for global subscriptions, the instance. Both have the same endpoints. */
import { INSTANCE } from '#shared/models/change.ts';
import { type ChangeInput, globalInputs, type NewInput, projectInputs } from './input.ts';

/** The differences between the endpoints for subscriptions of a project and for global subscriptions. */
export interface SubscriptionScope {
  basePath: '/v3/:project_id/subscriptions' | '/v3/subscriptions';
  role: 'admin' | 'instance-admin';
  /** Describes the subscriptions in summaries, such as `List the global subscriptions`. */
  adjective: '' | 'global ';
  record: { collection: string; parameter: string; project?: string };
  inputs: { NewSubscription: NewInput; SubscriptionChange: ChangeInput };
  /** Returns the `id_project` with which the subscriptions are stored: the project of the call, or INSTANCE. */
  ownerOf: (call: { project: string }) => string;
}

const RECORD = { collection: 'subscriptions', parameter: 'subscription_id' };

/** The subscriptions of a project to the events of this project. */
const projectScope: SubscriptionScope = {
  basePath: '/v3/:project_id/subscriptions',
  role: 'admin',
  adjective: '',
  record: RECORD,
  inputs: projectInputs,
  ownerOf: ({ project }) => project,
};

/** The subscriptions of instance administrators to events of all projects and of accounts. */
const globalScope: SubscriptionScope = {
  basePath: '/v3/subscriptions',
  role: 'instance-admin',
  adjective: 'global ',
  record: { ...RECORD, project: INSTANCE },
  inputs: globalInputs,
  ownerOf: () => INSTANCE,
};

/** All scopes. */
export const SUBSCRIPTION_SCOPES = [projectScope, globalScope];
