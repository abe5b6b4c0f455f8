// Values that must be there.

/** A required value is missing, which is a bug in the program. */
class MissingValue extends Error {
  constructor(what: string) {
    super(`${what} is missing`)
    this.name = 'MissingValue'
  }
}

/** Returns the value. Throws `MissingValue`, naming `what`, when it is null or undefined. */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new MissingValue(what)
  return value
}
