// No request makes a program fail: random valid and invalid requests to every operation, judged by the published schemas.

import { transcriptOf } from '@lendloom/platform/src/lenders/network/transcript.ts'
import { consoleUser } from '@lendloom/tests/setup/console'
import { seededRandom } from '@lendloom/tests/setup/patience'
import { option } from '../bench/setup/api.ts'
import { operations, type ProgramName } from './api/operations.ts'
import { fillOwner, type Owner } from './api/owner.ts'
import { buildPages } from './api/pages.ts'
import { deskCookies, platformContext } from './api/staff.ts'
import { type Actors, newActors, type Scene } from './fuzz/actors.ts'
import { type Draft, describe, wireBytes } from './fuzz/draft.ts'
import { type Fault, faultOf, publishAll } from './fuzz/judge.ts'
import { mutate } from './fuzz/mutate.ts'
import { FuzzReport } from './fuzz/report.ts'
import { shrink } from './fuzz/shrink.ts'
import { Wire, type WireReply } from './fuzz/wire.ts'
import type { Outcome } from './main.ts'
import { checks, wordsOf } from './setup/checks.ts'
import { type Installation, startInstallation } from './setup/installation.ts'

export const about = `Random requests to every operation of every program: no 5xx, nothing invalid accepted, nothing slow
Platform, partner and sandbox run with their workers and PostgreSQL. Requests are generated from the routes' own schemas with
valid credentials and existing ids; most then get mutations: missing, extra, wrong, huge, deep and negative values, repeated keys,
truncated and wrongly encoded bodies, hostile paths, queries and headers. Every answer is judged by the published OpenAPI schemas
with a validator of its own: no status 5xx, no success although path, query or body breaks its schema, every error in the
documented format, every success by its schema, none slower than two seconds twice, and no error in the logs of the programs.
A fault is printed with its smallest request.
Options: --requests <n> (20000), --seed <n> (1), --from <n> (0; the index of the first request), --only <text> (operations whose name contains it), --operations (counts by operation).`

export async function run(args: string[]): Promise<Outcome> {
  const requests = option(args, 'requests', 20_000)
  const seed = option(args, 'seed', 1)
  const onlyAt = args.indexOf('--only')
  const only = onlyAt < 0 ? '' : (args[onlyAt + 1] ?? '')
  buildPages()
  publishAll()
  const logged: string[] = []
  const installation = await startInstallation({
    each: 1,
    onLog: (line) => void (isError(line) && logged.length < 1000 && logged.push(line)),
  })
  try {
    const from = option(args, 'from', 0)
    const fuzz = new Fuzz(
      await prepare(installation),
      seed,
      operations.filter(({ name }) => name.includes(only)),
    )
    const began = performance.now()
    await fuzz.run(from, from + requests)
    const seconds = (performance.now() - began) / 1000
    return await outcomeOf(fuzz.report, { logged, seconds, installation, isDetailed: args.includes('--operations') })
  } finally {
    await installation.stop()
  }
}

const isError = (line: string): boolean => /"level":[56]0|^(?!\{)/.test(line)

interface RunFacts {
  logged: string[]
  seconds: number
  installation: Installation
  isDetailed: boolean
}

async function outcomeOf(
  report: FuzzReport,
  { logged, seconds, installation, isDetailed }: RunFacts,
): Promise<Outcome> {
  report.print(isDetailed)
  const byMessage = Map.groupBy(logged, (line) => /"message":"[^"]*?(?=["\\:0-9])/.exec(line)?.[0] ?? line)
  for (const [line, ...others] of byMessage.values())
    console.log(`LOGGED ${others.length + 1}×: ${line?.slice(0, 900)}`)
  const all = checks()
  const kinds = Map.groupBy(report.faults.values(), ({ kind }) => kind.replace(/ \d+$/, ''))
  const names = [
    'status',
    'accepted although invalid',
    'slow',
    'no answer',
    'undocumented status',
    'answer breaks its schema',
  ]
  for (const kind of [...names, 'refusal breaks its schema', 'refusal is not JSON', 'empty refusal'])
    all.note(`no fault: ${kind}`, !kinds.has(kind), kinds.get(kind)?.length)
  all.note('no program logged an error', logged.length === 0, logged.length)
  for (const [program, url] of Object.entries(urlsOf(installation)))
    all.note(`the ${program} still answers`, (await fetch(`${url}/healthz`).catch(() => null))?.ok === true)
  const rate = `${report.total} requests to ${operations.length} operations in ${seconds.toFixed(0)} s`
  const figures = `${rate}, ${report.unreached} operations without a success, slowest ${Math.round(report.slowestMs)} ms, ${report.faults.size} faults, ${report.slowOnce} slow once; ${wordsOf(all)}`
  return { passed: all.failed.length === 0, figures }
}

const urlsOf = ({ platformUrl, partnerUrl, sandboxUrl }: Installation): Record<ProgramName, string> => ({
  platform: platformUrl,
  partner: partnerUrl,
  sandbox: sandboxUrl,
})

async function prepare(installation: Installation): Promise<Scene> {
  const ctx = platformContext(installation)
  await deskCookies(installation)
  const { platformUrl, tenant } = installation
  const admin = await consoleUser({ url: platformUrl, ctx }, { role: 'admin', tenantId: tenant.tenantId })
  const owner = await fillOwner(installation, tenant, 'alkmene', admin)
  return { installation, ctx, owner, messages: await messagesOf(installation, owner) }
}

/** The bodies of the network messages about the owner's loans, by action. */
async function messagesOf({ db, seal }: Installation, { tenant, embed, goldEmbed }: Owner) {
  const messages = new Map<string, string[]>()
  for (const { journeyId } of [embed, goldEmbed])
    for (const { action, body } of await transcriptOf({ db, seal }, tenant.tenantId, journeyId))
      messages.set(action, [...(messages.get(action) ?? []), body])
  return messages
}

const senders = 12
/** Credentials and unfinished journeys are renewed after this many requests. */
const renewal = 1500
const mutated = 0.75

class Fuzz {
  readonly report = new FuzzReport()
  private readonly scene: Scene
  private readonly seed: number
  private readonly chosen: typeof operations
  private actors: Promise<Actors>
  private index = 0
  /** Shrinking sends further requests, one fault at a time. */
  private shrinking: Promise<void> = Promise.resolve()

  constructor(scene: Scene, seed: number, chosen: typeof operations) {
    this.scene = scene
    this.seed = seed
    this.chosen = chosen
    this.actors = newActors(scene)
  }

  /** Sends the requests with these indexes. */
  async run(from: number, until: number): Promise<void> {
    this.index = from
    await Promise.all(Array.from({ length: senders }, () => this.sendUntil(until)))
    await this.shrinking
  }

  private async sendUntil(until: number): Promise<void> {
    const urls = urlsOf(this.scene.installation)
    const ports = Object.entries(urls).map(([program, url]) => [program, Number(new URL(url).port)] as const)
    const wires = new Map(ports.map(([program, port]) => [program as ProgramName, new Wire(port)]))
    while (this.index < until) {
      const index = this.index++
      if (index > 0 && index % renewal === 0) this.actors = newActors(this.scene)
      if (index % 20_000 === 19_999) console.log(`${index + 1} requests, ${this.report.faults.size} faults`)
      const draft = this.draftAt(index, await this.actors)
      const reply = await sendBy(wires, draft, urls)
      this.report.count(draft.operation, reply.status, reply.ms)
      const fault = faultOf(draft, reply)
      if (fault && this.report.isNew(draft.operation, fault)) this.noteSmallest(draft, fault, { index, urls })
    }
    for (const wire of wires.values()) wire.close()
  }

  /** Every operation in turn, with its own random numbers. */
  private draftAt(index: number, actors: Actors): Draft {
    const random = seededRandom(this.seed * 1_000_003 + index)
    const operation = this.chosen[index % this.chosen.length]
    if (!operation) throw new Error('no operation has this name')
    const draft = actors.draftOf(operation, random)
    return random() < mutated ? mutate(draft, random).draft : draft
  }

  private noteSmallest(
    draft: Draft,
    fault: Fault,
    { index, urls }: { index: number; urls: Record<ProgramName, string> },
  ): void {
    const note = (request: Draft) => this.report.note(draft.operation, fault, { index, request: describe(request) })
    note(draft)
    this.shrinking = this.shrinking.then(async () => {
      const wires = new Map([[draft.operation.program, new Wire(Number(new URL(urls[draft.operation.program]).port))]])
      const again = async (smaller: Draft) => faultOf(smaller, await sendBy(wires, smaller, urls))
      // Other programs may have had the processor, so that a slow request counts only when it is slow again.
      if (fault.kind === 'slow' && (await again(draft))?.kind !== 'slow')
        return this.report.forgive(draft.operation, fault)
      const times = this.report.faults.get(`${draft.operation.name} ${fault.kind}`)?.times ?? 1
      note(await shrink(draft, fault, again))
      const noted = this.report.faults.get(`${draft.operation.name} ${fault.kind}`)
      if (noted) noted.times = times
      for (const wire of wires.values()) wire.close()
    })
  }
}

async function sendBy(
  wires: Map<ProgramName, Wire>,
  draft: Draft,
  urls: Record<ProgramName, string>,
): Promise<WireReply> {
  const { program } = draft.operation
  const wire = wires.get(program)
  if (!wire) throw new Error(`no connection to the ${program}`)
  return wire.send(wireBytes(draft, new URL(urls[program]).host), draft.method)
}
