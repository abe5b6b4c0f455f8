// JSON knows no undefined: an absent field is not written.

/** The object without its undefined members. */
export const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
