// Which dialect a message is in, by its own word, before anything of it was checked.
import { type Dialect, dialects } from '#contract/network/context.ts'

/** What names no dialect that is spoken here is judged as 2.0.3, and found wanting. */
export const dialectIn = (body: unknown): Dialect => {
  const version = (body as { context?: { version?: unknown } | null } | null)?.context?.version
  return dialects.find((dialect) => dialect === version) ?? '2.0.3'
}
