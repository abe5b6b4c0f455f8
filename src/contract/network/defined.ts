// JSON knows no undefined: what was not said is not written.

/** The object without its undefined members. */
export const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
