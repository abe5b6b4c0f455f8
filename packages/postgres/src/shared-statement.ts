// Lets the calls of one turn of the event loop in a transaction share a statement, such as those of writes that share a commit.
import type { Tx } from './sql.ts'

interface Group<Key, Value> {
  keys: Key[]
  values: Promise<Value[]>
}

/** `run` returns a value per key, in their order. */
export function sharedStatement<Key, Value>(
  run: (tx: Tx, keys: Key[]) => Promise<Value[]>,
): (tx: Tx, key: Key) => Promise<Value | undefined> {
  const groups = new WeakMap<Tx, Group<Key, Value>>()
  function groupOf(tx: Tx): Group<Key, Value> {
    const keys: Key[] = []
    const values = Promise.resolve().then(() => {
      groups.delete(tx)
      return run(tx, keys)
    })
    const group = { keys, values }
    groups.set(tx, group)
    return group
  }
  return async (tx, key) => {
    const { keys, values } = groups.get(tx) ?? groupOf(tx)
    const position = keys.push(key) - 1
    return (await values)[position]
  }
}
