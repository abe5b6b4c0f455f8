// What a benchmark or a proof has begun is ended with it: when it is done, when it fails, and when it is interrupted.

const open = new Set<() => void>()
let isWatching = false

/**
 * Has `stop` called once: by the function that this gives, or when the process ends. It may not wait for anything, because
 * a process that ends does not.
 */
export function atEnd(stop: () => void): () => void {
  if (!isWatching) {
    isWatching = true
    process.on('exit', () => {
      // What was begun last may stand on what was begun before.
      for (const each of [...open].reverse()) each()
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
  }
  const once = () => {
    if (open.delete(once)) stop()
  }
  open.add(once)
  return once
}
