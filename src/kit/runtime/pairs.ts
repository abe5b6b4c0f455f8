// Lists that belong together: two of the same length side by side, and one in groups that are never empty.

/** Each item with that of the other list at its place. Throws when one list is longer: then something was lost. */
export function pairs<One, Other>(some: readonly One[], others: readonly Other[]): [One, Other][] {
  if (some.length !== others.length) throw new RangeError(`${some.length} items are paired with ${others.length}`)
  const rest = others.values()
  return some.flatMap((one): [One, Other][] => {
    const { done, value } = rest.next()
    return done ? [] : [[one, value]]
  })
}

/** The items by their key, in the order in which they came; no group is empty. */
export function grouped<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
