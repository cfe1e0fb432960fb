import type { Dispatcher } from 'undici';
import { inCrumbs } from './errors.ts';

/** Pieces any body may come in, and bytes from which on a piece is no crumb. */
const FREE_PIECES = 2_000;
const CRUMB = 32;

type Handler = Dispatcher.DispatchHandler;

/** Ends an answer that comes in crumbs before it costs more than a page: each piece is work, however small. */
export const refuseCrumbs: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let pieces = 0;
  let bytes = 0;
  const counting: Handler = {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (controller, piece) => {
      pieces += 1;
      bytes += piece.length;
      if (pieces > FREE_PIECES + bytes / CRUMB) controller.abort(inCrumbs());
      else handler.onResponseData?.(controller, piece);
    },
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  };
  return dispatch(options, counting);
};
