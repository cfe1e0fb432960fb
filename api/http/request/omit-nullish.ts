/** A body without its null fields: a null field counts as absent. */
type WithoutNullish<Body> = { [K in keyof Body]?: Exclude<Body[K], null> };

/** Returns the fields that are neither null nor undefined. */
export const omitNullish = <Body extends object>(body: Body): WithoutNullish<Body> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value != null)) as WithoutNullish<Body>;
