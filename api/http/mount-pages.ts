import type { Context } from 'koa';
import type { Page } from '../pages/page.ts';
import { admitOperator } from './operators.ts';
import type { Routes } from './routes.ts';

const show = async (ctx: Context, { type, operators, cache, render }: Page): Promise<void> => {
  if (operators) await admitOperator(ctx);
  const { status = 200, body } = await render();
  ctx.status = status;
  ctx.type = type;
  ctx.set('Cache-Control', cache ? 'public, max-age=3600' : 'no-store');
  ctx.body = body;
};

/** Add what people and machines look at beside the API. */
export const mountPages = (routes: Routes, pages: Page[]): void => {
  for (const page of pages) routes.add('GET', page.path, (ctx) => show(ctx, page));
};
