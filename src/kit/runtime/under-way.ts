// Work that many ask for at the same time and that is done once for all of them.

/** Gives work by key: who asks for a key while its work is under way gets what that comes to, also where it fails. */
export function underWay<Value>(): (key: string, work: () => Promise<Value>) => Promise<Value> {
  const all = new Map<string, Promise<Value>>()
  return (key, work) => {
    const known = all.get(key)
    if (known) return known
    const begun = work().finally(() => all.delete(key))
    all.set(key, begun)
    return begun
  }
}
