// Values that are made on first use.

/** Returns the result of `make`, which is called once, on first use. */
export function lazily<T>(make: () => T): () => T {
  let cached: { value: T } | undefined
  return () => {
    cached ??= { value: make() }
    return cached.value
  }
}
