// The measured costs that the capacity model multiplies, and results of other benchmarks that check the model.
import data from './measured.json' with { type: 'json' }
import type { Point } from './points.ts'
import type { Kind, Spent } from './spent.ts'

/** The file that `npm run bench -- cost --json bench/capacity/measured.json` writes. */
export interface Measured {
  on: string
  machine: string
  /** CPU of one write of the minimal server in the same run, in microseconds; shows the speed of the machine. */
  minimalWriteUs: number
  /** Number of measured items of each kind. */
  counts: Record<Kind, number>
  /** Cost of one idle second of an installation. */
  idleSecond: Spent
  /** Cost of one item of each kind. */
  costs: Record<Kind, Spent>
}

export const measured: Measured = data

const shared = 'once, on 2026-11-22, while other processes used at least half of the machine'

/** A session and the delivery of its update are separate benchmarks. CPU is program + PostgreSQL of both. */
export const points: Point[] = [
  {
    what: 'a session with its update, 8 clients',
    command: `npm run bench -- sessions --rounds 1, and deliver --turns 1: ${shared}`,
    cpuUs: 566 + 312 + 372 + 132,
    minimalWriteUs: (293 + 214) / 2,
    perSecond: 1 / (1 / 660 + 1 / 762),
    kind: 'session',
    parts: ['platformApi', 'platformWorker', 'platformDatabase'],
    tolerance: 2,
  },
  {
    what: 'a session with its update, 32 clients',
    command: `npm run bench -- sessions --rounds 1, and deliver --turns 1: ${shared}`,
    cpuUs: 393 + 185 + 372 + 132,
    minimalWriteUs: (293 + 214) / 2,
    perSecond: 1 / (1 / 1109 + 1 / 762),
    kind: 'session',
    parts: ['platformApi', 'platformWorker', 'platformDatabase'],
    tolerance: 2.5,
  },
  {
    what: 'delivery of an update from a backlog, worker only',
    command: `npm run bench -- deliver --turns 1: ${shared}`,
    cpuUs: 372,
    minimalWriteUs: 214,
    perSecond: 762,
    kind: 'session',
    parts: ['platformWorker'],
    tolerance: 2,
  },
  {
    what: 'an event accepted and applied, with an effect of one row',
    command: `npm run bench -- exchange --rounds 1: ${shared}`,
    // The API used 244 us and the worker 289 us; PostgreSQL used 50 us to accept and 450 us to apply an event.
    cpuUs: 244 + 289 + 50 + 450,
    minimalWriteUs: 300,
    perSecond: 838,
    kind: 'event',
    parts: ['partnerApi', 'partnerWorker', 'partnerDatabase'],
    // The model's event changes more tables, so its prediction is higher.
    tolerance: 5,
  },
]
