/** The paths of the bot endpoints. Each endpoint has a second path, because deployed clients rely on `/faq_kb`. */
export const BASE_PATH = '/v3/:project_id/bots';
export const ALIAS_PATH = '/v3/:project_id/faq_kb';
export const RECORD_PATH = `${BASE_PATH}/:bot_id` as const;
export const ALIAS_RECORD_PATH = `${ALIAS_PATH}/:bot_id`;
