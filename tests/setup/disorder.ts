// Random disorder of delivery: messages arrive reordered, repeated, late and concurrently.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from './patience.ts'

export interface Disorder {
  /** For each message of a stage: its new position, its number of copies, and whether it arrives again in later stages. */
  fates: { place: number; times: number; arrivesLater: boolean }[]
  /** Number of concurrent messages, and the pause between batches. */
  concurrency: number
  ms: number
}

const fateCount = 31

export function disorderOf(seed: number): Disorder {
  const random = seededRandom(seed)
  const upTo = (count: number) => Math.floor(random() * count)
  const fates = Array.from({ length: fateCount }, () => ({
    place: random(),
    times: 1 + upTo(3),
    arrivesLater: random() < 0.4,
  }))
  return { fates, concurrency: 1 + upTo(6), ms: upTo(16) }
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

/** One side's messages about a case, delivered stage by stage; without a disorder, each is delivered once and in order. */
export class DisorderedChannel {
  private readonly disorder: Disorder | null
  private readonly delivered: Message[] = []
  private readonly answers = new Map<string, Answer[]>()
  private stage: Message[] = []

  constructor(disorder: Disorder | null) {
    this.disorder = disorder
  }

  add(name: string, send: () => Promise<Answer>): void {
    this.stage.push({ name, send })
  }

  /** Delivers the stage, and some earlier messages again. */
  async deliverStage(): Promise<void> {
    const { stage, delivered, disorder } = this
    this.stage = []
    if (disorder === null) for (const message of stage) await this.send(message)
    else await this.scatter(stage, delivered, disorder)
    delivered.push(...stage)
  }

  private async scatter(stage: Message[], delivered: Message[], { fates, concurrency, ms }: Disorder): Promise<void> {
    const fateOf = (i: number) => fates[i % fateCount]!
    const late = delivered.filter((_, i) => fateOf(i).arrivesLater)
    const arrivals = [...stage, ...late].flatMap((message, i) =>
      Array.from({ length: fateOf(i).times }, (_, n) => ({ message, place: fateOf(i + 7 * n).place })),
    )
    arrivals.sort((a, b) => a.place - b.place)
    for (let i = 0; i < arrivals.length; i += concurrency) {
      await Promise.all(arrivals.slice(i, i + concurrency).map(({ message }) => this.send(message)))
      await sleep(ms)
    }
  }

  /** Sends a message, and retries while the same request is in progress (409). */
  private async send({ name, send }: Message): Promise<void> {
    for (;;) {
      const answer = await send()
      if (answer.status === 409 && answer.body.error.retryable) continue
      this.answers.set(name, [...(this.answers.get(name) ?? []), answer])
      return
    }
  }

  /** Asserts that each message was accepted exactly once and that all other receipts repeat the first one. */
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

const generatedId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|SBX[A-Z0-9]{6,}|\d{15,}/g
const instant = /^\d{4}-\d{2}-\d{2}T/

/** Replaces generated values: ids by their order of occurrence, instants and addresses by constants; removes snapshot versions. */
export function normalized<Whole>(whole: Whole): Whole {
  const ids = new Map<string, string>()
  const alias = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `#${ids.size + 1}`)
    return ids.get(id)!
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'bigint') return String(value)
    if (typeof value === 'string') {
      if (instant.test(value)) return 'at some time'
      return value.startsWith('http') ? 'somewhere' : value.replace(generatedId, alias)
    }
    if (Array.isArray(value)) return value.map(walk)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => (key.startsWith('snapshot_') ? [] : [[key, walk(each)]])),
    )
  }
  return walk(whole) as Whole
}
