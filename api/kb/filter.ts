const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** List query → filter; `search` is text to be found, never a pattern (attack A15). */
export const contentsFilter = (
  id_project: string,
  { namespace, status, type, search }: { namespace: string; status?: number; type?: string; search?: string },
) => ({
  id_project,
  namespace,
  ...(status === undefined ? {} : { status }),
  ...(type ? { type } : {}),
  ...(search ? { source: { $regex: search.replace(SPECIAL, '\\$&') } } : {}),
});
