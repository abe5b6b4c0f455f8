// Disorder on the way: what was sent arrives turned round, doubled, late and at the same moment, at random.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from './patience.ts'

export interface Disorder {
  /** By the place of a message among those of its stage: where it lands, how often it comes, and whether it comes again later. */
  fates: { place: number; times: number; again: boolean }[]
  /** How many are on the way at the same moment, and how long after those before them. */
  together: number
  ms: number
}

const most = 31

/** The same for the same seed. */
export function disorderOf(seed: number): Disorder {
  const random = seededRandom(seed)
  const upTo = (count: number) => Math.floor(random() * count)
  const fates = Array.from({ length: most }, () => ({ place: random(), times: 1 + upTo(3), again: random() < 0.4 }))
  return { fates, together: 1 + upTo(6), ms: upTo(16) }
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: only a refusal is looked into
  body: any
}

interface Message {
  name: string
  send(): Promise<Answer>
}

/** What one side sends about one case, stage by stage; without a disorder one by one, each once. */
export class DisorderedChannel {
  private readonly disorder: Disorder | null
  private readonly before: Message[] = []
  private readonly answers = new Map<string, Answer[]>()
  private stage: Message[] = []

  constructor(disorder: Disorder | null) {
    this.disorder = disorder
  }

  add(name: string, send: () => Promise<Answer>): void {
    this.stage.push({ name, send })
  }

  /** Has the stage arrive, and some of what came before it once more. */
  async arrive(): Promise<void> {
    const { stage, before, disorder } = this
    this.stage = []
    if (disorder === null) for (const message of stage) await this.send(message)
    else await this.scatter(stage, before, disorder)
    before.push(...stage)
  }

  private async scatter(stage: Message[], before: Message[], { fates, together, ms }: Disorder): Promise<void> {
    const fateOf = (i: number) => fates[i % most]!
    const late = before.filter((_, i) => fateOf(i).again)
    const arrivals = [...stage, ...late].flatMap((message, i) =>
      Array.from({ length: fateOf(i).times }, (_, n) => ({ message, place: fateOf(i + 7 * n).place })),
    )
    arrivals.sort((a, b) => a.place - b.place)
    for (let i = 0; i < arrivals.length; i += together) {
      await Promise.all(arrivals.slice(i, i + together).map(({ message }) => this.send(message)))
      await sleep(ms)
    }
  }

  /** Asks again while the same request is still on its way. */
  private async send({ name, send }: Message): Promise<void> {
    for (;;) {
      const answer = await send()
      if (answer.status === 409 && answer.body.error.retryable) continue
      this.answers.set(name, [...(this.answers.get(name) ?? []), answer])
      return
    }
  }

  /** Each message was a first one exactly once; every other answer repeats that one. */
  checkReceipts(): void {
    for (const [name, answers] of this.answers) {
      const first = answers.filter(({ status }) => status === 202 || status === 201)
      assert.equal(first.length, 1, `${name}: ${answers.map(({ status }) => status)}`)
      for (const { status, body } of answers) {
        assert.ok(status === 200 || status === first[0]!.status, `${name}: ${status} ${JSON.stringify(body)}`)
        assert.deepEqual(body, first[0]!.body, name)
      }
    }
  }
}

const chosen = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|SBX[A-Z0-9]{6,}|\d{15,}/g
const moment = /^\d{4}-\d{2}-\d{2}T/

/** The same without what a side chooses for itself: ids by the order in which they are met, no instants, no addresses, no snapshot versions. */
export function normalized<Whole>(whole: Whole): Whole {
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
