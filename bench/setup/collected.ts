// Preloaded into a program under test: forces garbage collection on request and reports memory usage.

/** `process.memoryUsage` after a forced collection, in bytes. */
export interface Collected {
  type: 'collected'
  memory: NodeJS.MemoryUsage
}

async function collect(): Promise<void> {
  const { gc } = globalThis
  if (!gc) throw new Error('start with --expose-gc')
  // Later collections free what the finalizers of earlier ones have released.
  for (let i = 0; i < 3; i++) {
    gc()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  process.send?.({ type: 'collected', memory: process.memoryUsage() } satisfies Collected)
}

process.on('message', (message: { type?: string }) => {
  if (message?.type === 'collect') void collect()
})
