// A value that is there unless the program itself has a mistake, where a type cannot say so.

/** What should have been there was not: a mistake of ours, never of whoever asked. */
class Missing extends Error {
  constructor(what: string) {
    super(`${what} is missing`)
    this.name = 'Missing'
  }
}

/** The value. Throws `Missing`, naming `what`, when it is null or undefined. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Missing(what)
  return value
}
