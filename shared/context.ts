/** What one request or job carries from end to end without being handed on. */
import { AsyncLocalStorage } from 'node:async_hooks';

const store = new AsyncLocalStorage<{ requestId: string }>();

/** Run `work` under one request id: HTTP, its jobs and its webhooks log the same. */
export const withRequestId = <T>(requestId: string, work: () => T): T => store.run({ requestId }, work);

/** The id of the request or job that runs now, if any. */
export const requestId = (): string | undefined => store.getStore()?.requestId;
