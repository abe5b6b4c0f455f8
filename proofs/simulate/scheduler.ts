// Virtual time: everything that is pending is in one queue, and each step runs one entry until nothing moves.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, type Hash } from 'node:crypto'

/** A simulated process, or a person. */
export interface Owner {
  name: string
  isAlive: boolean
  /** How far its clock is ahead. */
  skewMs: number
}

export interface Entry {
  at: number
  order: number
  what: string
  owner: Owner | undefined
  act: () => void
  isCancelled: boolean
}

const owners = new AsyncLocalStorage<Owner | undefined>()

export const currentOwner = (): Owner | undefined => owners.getStore()

export const within = <T>(owner: Owner | undefined, work: () => T): T => owners.run(owner, work)

const realImmediate = setImmediate
const realTurn = (): Promise<void> => new Promise((resolve) => void realImmediate(resolve))

/** Monday, 5 January 2026, at 10:00 in India. */
export const startsAt = Date.UTC(2026, 0, 5, 4, 30)

export class Scheduler {
  now = startsAt
  steps = 0
  /** Real work that the queue does not show, such as an immediate or a file operation. */
  busy = 0
  /** How often something was made in this run. */
  readonly counts = new Map<string, number>()
  onStep: ((entry: Entry) => void) | undefined
  #heap: Entry[] = []
  #order = 0
  #digest: Hash = createHash('sha256')

  /** Time of the current owner's clock. */
  clock = (): number => this.now + (currentOwner()?.skewMs ?? 0)

  schedule(ms: number, what: string, act: () => void, owner = currentOwner()): Entry {
    const entry = { at: this.now + Math.max(0, ms), order: this.#order++, what, owner, act, isCancelled: false }
    push(this.#heap, entry)
    return entry
  }

  /** Runs the next entry; false when nothing is pending. */
  async step(): Promise<boolean> {
    let entry = pop(this.#heap)
    while (entry?.isCancelled) entry = pop(this.#heap)
    if (!entry) return false
    this.now = Math.max(this.now, entry.at)
    this.steps++
    this.#digest.update(`${this.now} ${entry.owner?.name ?? '-'} ${entry.what}\n`)
    this.onStep?.(entry)
    const { owner, act } = entry
    owners.run(owner, act)
    await this.settle()
    return true
  }

  async settle(): Promise<void> {
    do await realTurn()
    while (this.busy > 0)
  }

  /** When the next entry is due. */
  nextAt(): number | undefined {
    while (this.#heap[0]?.isCancelled) pop(this.#heap)
    return this.#heap[0]?.at
  }

  digest(): string {
    return this.#digest.copy().digest('hex').slice(0, 16)
  }
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

function push(heap: Entry[], entry: Entry): void {
  let i = heap.push(entry) - 1
  for (;;) {
    const parent = (i - 1) >> 1
    const above = heap[parent]
    if (i === 0 || !above || !isBefore(entry, above)) break
    heap[i] = above
    i = parent
  }
  heap[i] = entry
}

function pop(heap: Entry[]): Entry | undefined {
  const [first] = heap
  const last = heap.pop()
  if (!last || first === last) return first
  let i = 0
  for (;;) {
    const left = heap[2 * i + 1]
    const right = heap[2 * i + 2]
    if (!left) break
    const [child, at] = right && isBefore(right, left) ? [right, 2 * i + 2] : [left, 2 * i + 1]
    if (!isBefore(child, last)) break
    heap[i] = child
    i = at
  }
  heap[i] = last
  return first
}
