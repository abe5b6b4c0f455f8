// The faults of a run, drawn from its seed, and what each does to the site.
import { seededRandom } from '@lendloom/tests/setup/patience'
import { pick } from '../api/samples.ts'
import type { Passage } from './network.ts'
import { boot, kill, type ProgramName, programNames, type Site } from './programs.ts'

/** Instants and durations are in milliseconds; instants count from the start of the first borrower. */
interface Span {
  at: number
  ms: number
}

interface FaultDetails {
  crash: Span & { program: ProgramName }
  'database crash': Span & { program: ProgramName }
  /** Of the partner and its disk. */
  'power cut': Span
  'full disk': Span
  partition: Span & { between: Route }
  /** `ms` is how far the clock of the program's machine is ahead. The clock never goes back, as the checks require. */
  clock: { program: ProgramName; ms: number }
  /** Concerns the request with this number on its way. */
  message: { from: string; to: string; number: number; passage: Exclude<Passage, 'pass'> }
  /** A control: the platform acknowledges the partner's event with this number, but does not store it. */
  'false receipt': { number: number }
  /** A control, which the watch of the journeys carries out: all jobs of the platform are deleted again and again. */
  'lost jobs': Span
}

type Route = [from: string, to: string]
type FaultKind = keyof FaultDetails
export type Fault = { [Kind in FaultKind]: { kind: Kind } & FaultDetails[Kind] }[FaultKind]

const routes: Route[] = [
  ['platform', 'partner'],
  ['partner', 'platform'],
  ['partner', 'sandbox'],
  ['sandbox', 'platform'],
  ['platform', 'sandbox'],
  ['borrower', 'platform'],
  ['platform', 'receiver'],
]
const passages = ['lose', 'lose answer', 'repeat', 'delay'] as const

/** Faults that no program could survive. They show that the checks find something. */
type Control = 'false receipt' | 'lost jobs'

const shares: Record<Exclude<FaultKind, Control>, number> = {
  message: 6,
  crash: 4,
  'database crash': 1,
  'power cut': 1,
  'full disk': 1,
  partition: 1,
  clock: 1,
}
const weightedKinds = Object.entries(shares).flatMap(([kind, share]) =>
  Array<keyof typeof shares>(share).fill(kind as keyof typeof shares),
)

export interface FaultOptions {
  seed: number
  count: number
  /** The time in which borrowers begin. */
  windowMs: number
}

export function drawFaults({ seed, count, windowMs }: FaultOptions): Fault[] {
  const random = seededRandom(seed * 7919 + 17)
  const whole = (limit: number) => Math.floor(random() * limit)
  const span = (): Span => ({ at: whole(windowMs), ms: 100 + whole(random() < 0.2 ? 40_000 : 4000) })
  return Array.from({ length: count }, (): Fault => {
    const kind = pick(weightedKinds, random)
    if (kind === 'message') {
      const [from, to] = pick(routes, random)
      return { kind, from, to, number: 1 + whole(40), passage: pick([...passages], random) }
    }
    if (kind === 'partition') return { kind, between: pick(routes, random), ...span() }
    if (kind === 'power cut' || kind === 'full disk') return { kind, ...span() }
    const program = pick([...programNames], random)
    return kind === 'clock' ? { kind, program, ms: whole(4000) - 2000 } : { kind, program, ...span() }
  })
}

/** `borrower 3` is a `borrower`. */
const kindOf = (owner: string): string => owner.replace(/ .*/, '')

type Acts = {
  [Kind in Exclude<FaultKind, 'message' | 'partition' | 'clock' | Control>]: (fault: FaultDetails[Kind]) => void
}

const actsOn = (site: Site): Acts => ({
  crash: ({ program, ms }) => crash(site, program, ms),
  'database crash': ({ program, ms }) => site.databases[program].crash(ms),
  'power cut'({ ms }) {
    crash(site, 'partner', ms)
    site.disk.cutPower(site.random)
  },
  'full disk'({ ms }) {
    site.disk.isFull = true
    const free = () => {
      site.disk.isFull = false
    }
    site.scheduler.schedule(ms, 'fault free disk', free, undefined)
  },
})

/** When the last fault is over, and its program or database has started again. */
export const lastFaultMs = (faults: Fault[]): number =>
  Math.max(0, ...faults.map((fault) => ('at' in fault ? fault.at + Math.abs(fault.ms) : 0))) + 2000

/** Plans all faults of a run. */
export function causeFaults(site: Site, faults: Fault[]): void {
  const { scheduler, network } = site
  const acts = actsOn(site)
  const passageOf = new Map<string, Passage>()
  const falseReceipts = new Set<number>()
  const cuts: { between: Route; from: number; until: number }[] = []
  for (const fault of faults) {
    if (fault.kind === 'message') passageOf.set(`${fault.from}>${fault.to} ${fault.number}`, fault.passage)
    else if (fault.kind === 'false receipt') falseReceipts.add(fault.number)
    else if (fault.kind === 'clock') setClock(site, fault)
    else if (fault.kind === 'partition') {
      const from = scheduler.now + fault.at
      cuts.push({ between: fault.between, from, until: from + fault.ms })
    } else if (fault.kind !== 'lost jobs')
      scheduler.schedule(fault.at, `fault ${fault.kind}`, () => acts[fault.kind](fault as never), undefined)
  }
  const sent = new Map<string, number>()
  network.passageOf = (from, to) => {
    const route = `${kindOf(from)}>${kindOf(to)}`
    const number = (sent.get(route) ?? 0) + 1
    sent.set(route, number)
    return passageOf.get(`${route} ${number}`) ?? 'pass'
  }
  const eventIds: string[] = []
  network.isSwallowed = ({ url, body }) => {
    if (falseReceipts.size === 0 || url.pathname !== '/api/partner/webhook') return false
    const { event_id: eventId } = JSON.parse(body.toString())
    if (!eventIds.includes(eventId)) eventIds.push(eventId)
    return falseReceipts.has(eventIds.indexOf(eventId) + 1)
  }
  network.isCut = (from, to) =>
    cuts.some(
      ({ between, ...cut }) =>
        between.includes(kindOf(from)) &&
        between.includes(kindOf(to)) &&
        cut.from <= scheduler.now &&
        scheduler.now < cut.until,
    )
}

function setClock({ owners }: Site, { program, ms }: FaultDetails['clock']): void {
  const owner = owners.get(program)
  if (owner) owner.skewMs = ms
}

/** Kills the program, and starts it as its supervisor would, again if it cannot start. */
function crash(site: Site, program: ProgramName, downMs: number): void {
  kill(site, program)
  const restart = () => {
    if (site.owners.get(program)?.isAlive) return
    boot(site, program).catch(() => {
      kill(site, program)
      site.scheduler.schedule(1000, `restart ${program}`, restart, undefined)
    })
  }
  site.scheduler.schedule(downMs, `restart ${program}`, restart, undefined)
}
