// Cleanup of what a benchmark or proof has started: at its end, on failure and on interruption.

const open = new Set<() => void>()
let isWatching = false

/**
 * Calls `stop` once: through the returned function or when the process exits. `stop` must be synchronous, because an
 * exiting process does not wait.
 */
export function atEnd(stop: () => void): () => void {
  if (!isWatching) {
    isWatching = true
    process.on('exit', () => {
      // Later resources may depend on earlier ones.
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
