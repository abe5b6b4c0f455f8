// What a process remembers beside something it holds, such as a cache beside a database.

/** Gives what `make` made for the same holder before, and makes it at first use. It is forgotten with its holder. */
export function remembered<Means, T>(
  holderOf: (means: Means) => object,
  make: (means: Means) => T,
): (means: Means) => T {
  const kept = new WeakMap<object, { value: T }>()
  return (means) => {
    const holder = holderOf(means)
    const entry = kept.get(holder) ?? { value: make(means) }
    kept.set(holder, entry)
    return entry.value
  }
}

/** The same for each database. */
export const perDatabase = <Means extends { db: object }, T>(make: (means: Means) => T): ((means: Means) => T) =>
  remembered(({ db }) => db, make)
