// What is made when it is first needed: a format of Intl takes milliseconds, and most starts need none.

/** Gives what `make` makes, which is called once, the first time. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
