// A value that must be there for the program to be right, where no type can say so.

/** The value; throws an error that names `what` where it is absent, which is a bug of ours and never of who asks. */
export function requireValue<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`there is no ${what}`)
  return value
}
