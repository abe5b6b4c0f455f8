// Disorder on the way: what was sent arrives turned round, doubled, late and at the same moment, as chance has it.
import { setTimeout as sleep } from 'node:timers/promises'
import { seeded } from './patience.ts'

export interface Disorder {
  /** By the place of a message among those of its stage: where it lands, how often it comes, and whether it comes again later. */
  fates: { place: number; times: number; again: boolean }[]
  /** So many are on the way at the same moment, and so long after those before them. */
  together: number
  ms: number
}

const most = 31

/** The same for the same seed. */
export function disorderOf(seed: number): Disorder {
  const chance = seeded(seed)
  const upTo = (count: number) => Math.floor(chance() * count)
  const fates = Array.from({ length: most }, () => ({ place: chance(), times: 1 + upTo(3), again: chance() < 0.4 }))
  return { fates, together: 1 + upTo(6), ms: upTo(16) }
}

/** Sends the messages of a stage, and some of those before it again; without a disorder one by one, each once. */
export async function arrive<Message>(
  disorder: Disorder | null,
  messages: Message[],
  before: Message[],
  send: (message: Message) => Promise<unknown>,
): Promise<void> {
  if (disorder === null) {
    for (const message of messages) await send(message)
    return
  }
  const fateOf = (i: number) => disorder.fates[i % most]!
  const late = before.filter((_, i) => fateOf(i).again)
  const arrivals = [...messages, ...late].flatMap((message, i) =>
    Array.from({ length: fateOf(i).times }, (_, n) => ({ message, place: fateOf(i + 7 * n).place })),
  )
  arrivals.sort((a, b) => a.place - b.place)
  for (let i = 0; i < arrivals.length; i += disorder.together) {
    await Promise.all(arrivals.slice(i, i + disorder.together).map(({ message }) => send(message)))
    await sleep(disorder.ms)
  }
}

const chosen = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|SBX[A-Z0-9]{6,}|\d{15,}/g
const moment = /^\d{4}-\d{2}-\d{2}T/

/** The same without what a side chooses for itself: ids by the order in which they are met, no instants, no addresses, no snapshot versions. */
export function plain<Whole>(whole: Whole): Whole {
  const ids = new Map<string, string>()
  const named = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `#${ids.size + 1}`)
    return ids.get(id)!
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'bigint') return String(value)
    if (typeof value === 'string') {
      if (moment.test(value)) return 'at some time'
      return value.startsWith('http') ? 'somewhere' : value.replace(chosen, named)
    }
    if (Array.isArray(value)) return value.map(walk)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => (key.startsWith('snapshot_') ? [] : [[key, walk(each)]])),
    )
  }
  return walk(whole) as Whole
}
