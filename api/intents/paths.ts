/** The paths of intents. */
export const BASE_PATH = '/v3/:project_id/faq';
export const ALIAS_PATH = '/v3/:project_id/intents';
