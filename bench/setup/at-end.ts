// Stops what a benchmark or proof has started, at its end, on failure and on interruption.

const pending = new Set<() => void>()
let isWatching = false

/** Calls `stop` once: through the returned function, or synchronously when the process exits. */
export function atEnd(stop: () => void): () => void {
  if (!isWatching) {
    isWatching = true
    process.on('exit', () => {
      // Later resources may depend on earlier resources.
      for (const each of [...pending].reverse()) each()
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
  }
  const once = () => {
    if (pending.delete(once)) stop()
  }
  pending.add(once)
  return once
}
