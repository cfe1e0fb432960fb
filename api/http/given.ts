/** What of a body is given: absent and null alike say nothing (decision 20). */
type Given<Body> = { [K in keyof Body]?: Exclude<Body[K], null> };

/** The fields that have a value. */
export const given = <Body extends object>(body: Body): Given<Body> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value != null)) as Given<Body>;
