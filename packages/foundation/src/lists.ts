// Lists: filled, paired and grouped.

/** Whether the list has an element; narrows its type. */
export const isFilled = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0

/** Pairs the items of two lists by position. Throws when their lengths differ. */
export function pairs<Left, Right>(left: readonly Left[], right: readonly Right[]): [Left, Right][] {
  if (left.length !== right.length) throw new RangeError(`cannot pair ${left.length} items with ${right.length}`)
  const rightValues = right.values()
  return left.flatMap((item): [Left, Right][] => {
    const { done, value } = rightValues.next()
    return done ? [] : [[item, value]]
  })
}

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
