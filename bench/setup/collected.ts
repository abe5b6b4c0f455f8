// Loaded into a program under test before its own code: on request it collects garbage and tells its memory.

/** What `process.memoryUsage` says after a forced collection, in bytes. */
export interface Collected {
  type: 'collected'
  memory: NodeJS.MemoryUsage
}

async function collect(): Promise<void> {
  const { gc } = globalThis
  if (!gc) throw new Error('start with --expose-gc')
  // The second one takes what finalizers of the first have released.
  for (let i = 0; i < 3; i++) {
    gc()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  process.send?.({ type: 'collected', memory: process.memoryUsage() } satisfies Collected)
}

process.on('message', (message: { type?: string }) => {
  if (message?.type === 'collect') void collect()
})
